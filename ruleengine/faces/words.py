"""The words of the faces in every language: one table, one line a phrase.

Names and texts of a ruleset come from the ruleset; tile names from `tiles`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.ruleset.model import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping

Phrase = tuple[str, str, str, str]

PHRASES: Mapping[str, Phrase] = {
    # en, zh-Hant, zh-Hans, ja
    "points": ("{n} points", "{n}分", "{n}分", "{n}点"),
    "point": ("{n} point", "{n}分", "{n}分", "{n}点"),
    "of_each": ("{n} each", "每次{n}", "每次{n}", "一つにつき{n}"),
    "colon": (": ", "：", "：", "："),
    "comma": (", ", "、", "、", "、"),
    "clause": (", ", "，", "，", "、"),
    # the situation
    "seat_E": ("East", "東家", "东家", "東家"),
    "seat_S": ("South", "南家", "南家", "南家"),
    "seat_W": ("West", "西家", "西家", "西家"),
    "seat_N": ("North", "北家", "北家", "北家"),
    "round_E": ("East round", "東圈", "东圈", "東場"),
    "round_S": ("South round", "南圈", "南圈", "南場"),
    "round_W": ("West round", "西圈", "西圈", "西場"),
    "round_N": ("North round", "北圈", "北圈", "北場"),
    "by_self_draw": ("self-draw", "自摸", "自摸", "ツモ"),
    "by_discard": ("on a discard", "銃和", "铳和", "ロン"),
    "by_robbing_kong": ("robbing a kong", "搶槓", "抢杠", "槍槓"),
    "from_discard": (
        "on a discard from {seat}",
        "銃和（{seat}打出）",
        "铳和（{seat}打出）",
        "ロン（{seat}から）",
    ),
    "from_robbing_kong": (
        "robbing a kong of {seat}",
        "搶{seat}的槓",
        "抢{seat}的杠",
        "{seat}への槍槓",
    ),
    "liable_seat": (
        "{seat} is liable",
        "由{seat}負責",
        "由{seat}负责",
        "責任は{seat}",
    ),
    "liable_none": ("nobody is liable", "無人負責", "无人负责", "責任者なし"),
    "dora": ("dora {n}", "懸賞牌 {n}", "悬赏牌 {n}", "ドラ {n}"),
    "flowers": ("flowers {tiles}", "花牌 {tiles}", "花牌 {tiles}", "花牌 {tiles}"),
    "wins_by": (
        "{seat} wins, {how}",
        "{seat}和牌，{how}",
        "{seat}和牌，{how}",
        "{seat}の和了、{how}",
    ),
    "would_win_by": ("{seat}, {how}", "{seat}，{how}", "{seat}，{how}", "{seat}、{how}"),
    # the total
    "total": ("Total", "總分", "总分", "合計"),
    "chicken": ("no pattern", "無和種", "无和种", "役なし"),
    "limit_cap": (
        "the patterns add to {sum}; {cap} is the most a hand is worth",
        "和種合計{sum}分，封頂{cap}分",
        "和种合计{sum}分，封顶{cap}分",
        "役の合計は{sum}点、上限は{cap}点",
    ),
    "limit_pattern": (
        "a limit pattern: it counts alone",
        "上限和種，單獨計算",
        "上限和种，单独计算",
        "上限役、単独で数える",
    ),
    "limit_reached": (
        "the limit: {cap} is the most a hand is worth",
        "封頂{cap}分",
        "封顶{cap}分",
        "上限の{cap}点",
    ),
    "cap_word": ("limit", "封頂", "封顶", "上限"),
    "not_a_winning_hand": (
        "Not a winning hand.",
        "不是和牌形。",
        "不是和牌形。",
        "和了形ではない。",
    ),
    "below_minimum": (
        "Does not win: the hand has {points}, and the minimum is {minimum}.",
        "不能和牌：這手牌有{points}，起和是{minimum}分。",
        "不能和牌：这手牌有{points}，起和是{minimum}分。",
        "和了できない：この手は{points}、最低点は{minimum}点。",
    ),
    "below_minimum_word": ("below the minimum", "未達起和", "未达起和", "最低点未満"),
    "no_win_word": ("no win", "不能和牌", "不能和牌", "和了なし"),
    # payments
    "payments": ("Payments", "收付", "收付", "点数の授受"),
    "role_winner": ("winner", "和牌者", "和牌者", "和了者"),
    "role_discarder": ("discarder", "出銃者", "出铳者", "放銃者"),
    "role_robbed": ("robbed", "被搶槓者", "被抢杠者", "槍槓された者"),
    "role_liable": ("liable", "責任者", "责任者", "責任者"),
    "payments_unknown": (
        "Who pays is known once --from names the seat that gave the tile.",
        "以 --from 指明誰打出這張牌，便可計算收付。",
        "以 --from 指明谁打出这张牌，便可计算收付。",
        "--from で牌を出した席を示すと、点数の授受を計算する。",
    ),
    # settlement
    "settled_exhausted": (
        "The wall is exhausted",
        "牌牆摸盡，流局",
        "牌墙摸尽，流局",
        "荒牌による流局",
    ),
    "settled_ready": ("ready: {seats}", "聽牌：{seats}", "听牌：{seats}", "聴牌：{seats}"),
    "settled_none_ready": ("nobody is ready", "無人聽牌", "无人听牌", "聴牌者なし"),
    "settled_wrong_win": (
        "{seat} declared a wrong win",
        "{seat}錯和",
        "{seat}错和",
        "{seat}の誤和了",
    ),
    "settled_abortive": (
        "The hand is broken off",
        "中途流局",
        "中途流局",
        "途中流局",
    ),
    "settled_passed_over": (
        "{seat} could win on the same tile, but {first} comes first in turn order",
        "{seat}也可和同一張，但輪序以{first}為先",
        "{seat}也可和同一张，但轮序以{first}为先",
        "{seat}も同じ牌で和了できるが、順番は{first}が先",
    ),
    "role_ready": ("ready", "聽牌", "听牌", "聴牌"),
    "role_offender": ("wrong win", "錯和者", "错和者", "誤和了者"),
    "role_takes": ("stakes {n:+d}", "供託 {n:+d}", "供托 {n:+d}", "供託 {n:+d}"),
    "stakes_left": (
        "Stakes left for the next winner: {n}",
        "留給下一個和牌者：{n}",
        "留给下一个和牌者：{n}",
        "次の和了者に残る供託：{n}",
    ),
    "winners": ("Several winners", "幾家同和", "几家同和", "複数の和了"),
    "winners_first": (
        "the first in turn order after the discarder wins",
        "出銃者之後輪序最先的一家和牌",
        "出铳者之后轮序最先的一家和牌",
        "放銃者から順番の早い一人が和了",
    ),
    "winners_all": (
        "all of them win, each paid as if alone",
        "幾家都和，各自照付",
        "几家都和，各自照付",
        "全員が和了し、それぞれに払う",
    ),
    "stakes": ("Stakes", "預付", "预付", "供託"),
    "stakes_words": (
        "{amount} in advance for '{event}'",
        "「{event}」預付 {amount}",
        "“{event}”预付 {amount}",
        "「{event}」の供託 {amount}",
    ),
    "stakes_first": (
        "the first winner takes them all",
        "全歸輪序最先的和牌者",
        "全归轮序最先的和牌者",
        "順番の早い和了者がすべて取る",
    ),
    "stakes_own_first": (
        "each winner takes his own, the first one the rest",
        "和牌者各取回自己的，其餘歸輪序最先的一家",
        "和牌者各取回自己的，其余归轮序最先的一家",
        "和了者は自分の分を取り、残りは順番の早い者が取る",
    ),
    "stakes_stay": (
        "without a winner they stay",
        "無人和牌則留下",
        "无人和牌则留下",
        "和了者がいなければ残る",
    ),
    "stakes_returned": (
        "without a winner they go back",
        "無人和牌則退還",
        "无人和牌则退还",
        "和了者がいなければ返す",
    ),
    "liability": (
        "The same tile was discarded earlier in the turn",
        "同一巡內已有人打過同一張",
        "同一巡内已有人打过同一张",
        "同じ巡に同じ牌が先に捨てられていたとき",
    ),
    "liability_moves": (
        "its first discarder is liable",
        "由最先打出的一家負責",
        "由最先打出的一家负责",
        "最初に捨てた者が責任を負う",
    ),
    "liability_nobody": (
        "nobody is liable where that was the winner",
        "和牌者自己打過則無人負責",
        "和牌者自己打过则无人负责",
        "和了者自身なら責任者なし",
    ),
    "liability_barred": (
        "the winner may not win on his own",
        "和牌者自己打過則不能和",
        "和牌者自己打过则不能和",
        "和了者自身なら和了できない",
    ),
    "status": ("Source", "根據", "根据", "根拠"),
    "status_stated": ("stated", "原文明言", "原文明言", "原文に明記"),
    "status_implied": ("implied", "由文意推得", "由文意推得", "文意から推定"),
    "status_reconstructed": ("reconstructed", "重建", "重建", "復元"),
    # explain
    "counts": ("Counts", "計分", "计分", "数える役"),
    "lost": ("There, but does not count", "符合但不計", "符合但不计", "成立するが数えない役"),
    "near": ("Nearly", "差一點", "差一点", "あと一歩"),
    "not_met": ("Not there", "不符合", "不符合", "成立しない役"),
    "hidden": (
        "{n} more are not there; --all shows them with reasons.",
        "另有{n}個不符合，以 --all 列出原因。",
        "另有{n}个不符合，以 --all 列出原因。",
        "ほかに{n}個は成立しない。--all で理由を示す。",
    ),
    "lost_to_series": (
        "the same series counts {pattern}",
        "同系列只計{pattern}",
        "同系列只计{pattern}",
        "同じ系列では{pattern}を数える",
    ),
    "superseded": (
        "contained in {pattern}",
        "已包含在{pattern}",
        "已包含在{pattern}",
        "{pattern}に含まれる",
    ),
    "lost_to_limit": (
        "{pattern} counts alone",
        "{pattern}單獨計算",
        "{pattern}单独计算",
        "{pattern}を単独で数える",
    ),
    "found_number": ("there: {n}", "實有：{n}", "实有：{n}", "実際：{n}"),
    "only_there": ("only there: {what}", "只有：{what}", "只有：{what}", "あるのは：{what}"),
    "because_of": ("because of {what}", "因為{what}", "因为{what}", "{what}のため"),
    "not_so": ("not so", "不成立", "不成立", "成立しない"),
    "arrangements": ("Ways to read the hand", "讀法", "读法", "読み方"),
    "chosen_highest": (
        "chosen: the highest total",
        "取用：總分最高",
        "取用：总分最高",
        "採用：合計が最高",
    ),
    "chosen_only": ("the only way", "唯一讀法", "唯一读法", "唯一の読み方"),
    "chosen_first": (
        "chosen: the first of the highest",
        "取用：同分最高之首",
        "取用：同分最高之首",
        "採用：同点最高の最初",
    ),
    "no_shape": (
        "The hand fits none of these shapes: {shapes}.",
        "這手牌不合任何一種牌形：{shapes}。",
        "这手牌不合任何一种牌形：{shapes}。",
        "この手はどの形にもならない：{shapes}。",
    ),
    "would_win_on": (
        "Without {tile} it waits for {tiles}.",
        "除去{tile}，聽{tiles}。",
        "除去{tile}，听{tiles}。",
        "{tile}を除くと{tiles}待ち。",
    ),
    "state": (
        "{pattern} {state}",
        "{pattern}：{state}",
        "{pattern}：{state}",
        "{pattern}：{state}",
    ),
    "state_counted": ("counts", "計分", "计分", "数える"),
    "state_lost": ("is there but does not count", "符合但不計", "符合但不计", "成立するが数えない"),
    "state_not_met": ("is not there", "不符合", "不符合", "成立しない"),
    "sentence": ("Condition", "條件", "条件", "条件"),
    "changes": (
        "The smallest changes that make it count",
        "令它計分的最小改動",
        "令它计分的最小改动",
        "数えるための最小の変更",
    ),
    "no_change": (
        "No single change makes it count.",
        "沒有任何單一改動能令它計分。",
        "没有任何单一改动能令它计分。",
        "一つの変更だけでは数えられない。",
    ),
    "change_self_draw": ("won by self-draw", "改為自摸", "改为自摸", "ツモ和了なら"),
    "change_discard": ("won on a discard", "改為銃和", "改为铳和", "ロン和了なら"),
    "change_robbing_kong": ("won by robbing a kong", "改為搶槓", "改为抢杠", "槍槓なら"),
    "change_seat": ("sitting {seat}", "坐{seat}", "坐{seat}", "{seat}なら"),
    "change_round": ("in the {round}", "在{round}", "在{round}", "{round}なら"),
    "change_event": (
        "with the event '{event}'",
        "加上「{event}」",
        "加上“{event}”",
        "「{event}」なら",
    ),
    "change_no_event": (
        "without the event '{event}'",
        "沒有「{event}」",
        "没有“{event}”",
        "「{event}」でなければ",
    ),
    "change_winning_tile": (
        "won on {new} instead of {old}",
        "改和{new}，不和{old}",
        "改和{new}，不和{old}",
        "{old}でなく{new}で和了",
    ),
    "change_claimed": ("with {meld} claimed", "{meld}改為明組", "{meld}改为明组", "{meld}を副露"),
    "change_concealed": (
        "with {meld} concealed",
        "{meld}改為暗組",
        "{meld}改为暗组",
        "{meld}を暗に",
    ),
    "change_not_claimed": (
        "with {meld} not claimed",
        "{meld}不露出",
        "{meld}不露出",
        "{meld}を副露しない",
    ),
    "change_tile": (
        "{new} in place of {old}",
        "以{new}換{old}",
        "以{new}换{old}",
        "{old}の代わりに{new}",
    ),
    # waits
    "waits_for": ("Waits for", "聽牌", "听牌", "待ち"),
    "left": ("Left", "餘", "余", "残り"),
    "points_word": ("Points", "分", "分", "点"),
    "patterns": ("Patterns", "和種", "和种", "役"),
    "total_left": (
        "{n} left in all, as far as the hand shows.",
        "就手牌所見，共餘{n}張。",
        "就手牌所见，共余{n}张。",
        "手牌から見て残りは合わせて{n}枚。",
    ),
    "no_waits_win": (
        "No tile wins: those that complete the hand leave it below the minimum.",
        "沒有牌可和：聽的牌都未達起和。",
        "没有牌可和：听的牌都未达起和。",
        "和了できる牌がない：待ち牌はどれも最低点に届かない。",
    ),
    "no_waits": (
        "No tile completes this hand.",
        "沒有牌可和。",
        "没有牌可和。",
        "和了できる牌がない。",
    ),
    # rulesets
    "options": ("Options", "選項", "选项", "オプション"),
    "source": ("Source", "來源", "来源", "出典"),
    "events": ("Events", "事件", "事件", "出来事"),
    "shapes": ("Shapes", "和牌形", "和牌形", "和了形"),
    "terms": ("Terms", "用語", "用语", "用語"),
    "ending_win": (
        "Each loser pays for a win",
        "和牌時各輸家付",
        "和牌时各输家付",
        "和了で各敗者が払う額",
    ),
    "ending_exhausted": (
        "At an exhausted wall each payer pays each payee",
        "流局時互付",
        "流局时互付",
        "流局で払う額",
    ),
    "ending_wrong_win": ("For a wrong win", "錯和時付", "错和时付", "誤和了で払う額"),
    "otherwise": ("otherwise", "其他情形", "其他情形", "それ以外"),
    "interpretations": ("Interpretations", "規則解釋", "规则解释", "解釈"),
    "why": ("Why", "理由", "理由", "理由"),
    "total_cap": ("No hand is worth more than", "封頂", "封顶", "上限"),
    "total_limit": (
        "A pattern counts alone from",
        "單獨計算的和種，由此分數起",
        "单独计算的和种，由此分数起",
        "単独で数える役の下限",
    ),
    "total_empty": ("A hand without patterns", "無和種", "无和种", "役のない手"),
    "total_minimum": ("A hand wins from", "起和", "起和", "和了の最低点"),
    "total_value": ("The total is", "總分", "总分", "合計"),
    "default": ("default {value}", "預設 {value}", "默认 {value}", "既定値 {value}"),
    "now": ("now {value}", "現為 {value}", "现为 {value}", "現在 {value}"),
    "choices": ("one of {values}", "可選 {values}", "可选 {values}", "{values} のいずれか"),
    "range": ("{least} to {most}", "{least} 至 {most}", "{least} 至 {most}", "{least} から {most}"),
    "needs": ("needs: {sentence}", "須：{sentence}", "须：{sentence}", "必要：{sentence}"),
    "series": ("Series", "系列", "系列", "系列"),
    "supersedes": ("Supersedes", "取代", "取代", "含む役"),
    "bonus": ("bonus", "附加", "附加", "追加"),
    "hits": ("Counts in", "計分的例", "计分的例", "数える例"),
    "misses": ("Does not count in", "不計分的例", "不计分的例", "数えない例"),
    "broken": (
        "cannot be read: {message}",
        "讀不到：{message}",
        "读不到：{message}",
        "読めない：{message}",
    ),
    # batch
    "batch_summary": (
        "{records} records: {wins} winning, {losses} not, {errors} in error",
        "{records}筆：{wins}筆和牌，{losses}筆不和，{errors}筆有誤",
        "{records}条：{wins}条和牌，{losses}条不和，{errors}条有误",
        "{records}件：和了{wins}、和了なし{losses}、誤り{errors}",
    ),
    "batch_line": (
        "line {line}: {message}",
        "第{line}行：{message}",
        "第{line}行：{message}",
        "{line}行目：{message}",
    ),
    "batch_row": (
        "row {line}: {message}",
        "第{line}列：{message}",
        "第{line}行：{message}",
        "{line}行目：{message}",
    ),
    "batch_rate": (
        "{n} hands, {rate} a second",
        "{n}手，每秒{rate}",
        "{n}手，每秒{rate}",
        "{n}件、毎秒{rate}",
    ),
    "batch_stopped": (
        "stopped after {n} records; --resume continues",
        "已處理{n}筆後停止；加 --resume 可續",
        "已处理{n}条后停止；加 --resume 可续",
        "{n}件で停止。--resume で続けられます",
    ),
    "batch_more": ("... and {n} more", "……另有{n}筆", "……另有{n}条", "……ほか{n}件"),
    # config
    "setting": ("Setting", "設定", "设置", "設定"),
    "value": ("Value", "值", "值", "値"),
    "origin": ("From", "來自", "来自", "出所"),
    "not_used": ("not used: {why}", "不採用：{why}", "不采用：{why}", "不使用：{why}"),
    "no_such_option": (
        "{rules} has no such option",
        "{rules}沒有這個選項",
        "{rules}没有这个选项",
        "{rules}にこのオプションはない",
    ),
    "origin_default": ("default", "預設", "默认", "既定値"),
    # blame
    "blame_was": (
        "{value} (was {old})",
        "{value}（原為{old}）",
        "{value}（原为{old}）",
        "{value}（元は{old}）",
    ),
    "blame_removed": ("taken away", "已移除", "已移除", "削除"),
    # new
    "new_made": ("made: {file}", "已建立：{file}", "已建立：{file}", "作成した：{file}"),
    "new_note_1": (
        "{id} is {parent} with changes. What does not stand here is inherited.",
        "{id} 是 {parent} 的變體，這裏沒有寫的一律沿用。",
        "{id} 是 {parent} 的变体，这里没有写的一律沿用。",
        "{id} は {parent} の変種。ここに書かないものはすべて受け継ぐ。",
    ),
    "new_note_2": (
        "Take the '# ' away from the lines at the end that you want, or write your own.",
        "檔案末尾的例子，要用的把行首的「# 」去掉，或自己另寫。",
        "文件末尾的例子，要用的把行首的“# ”去掉，或自己另写。",
        "末尾の例は、使う行の「# 」を消すか、自分で書く。",
    ),
    "new_note_3": (
        "yaku show {file} prints the rules, yaku blame {file} --changed what differs,",
        "yaku show {file} 顯示規則，yaku blame {file} --changed 顯示改動，",
        "yaku show {file} 显示规则，yaku blame {file} --changed 显示改动，",
        "yaku show {file} で規則を、yaku blame {file} --changed で違いを表示し、",
    ),
    "new_note_4": (
        "yaku fmt {file} lays the file out.",
        "yaku fmt {file} 整理檔案。",
        "yaku fmt {file} 整理文件。",
        "yaku fmt {file} でファイルを整形する。",
    ),
    # fmt
    "fmt_changed": ("laid out: {file}", "已整理：{file}", "已整理：{file}", "整形した：{file}"),
    "fmt_would_change": (
        "would change: {file}",
        "將會改動：{file}",
        "将会改动：{file}",
        "変更が必要：{file}",
    ),
    "fmt_nothing": (
        "Nothing to change.",
        "無須改動。",
        "无须改动。",
        "変更なし。",
    ),
    "fmt_line_ends": (
        "{file}: only line ends or a byte order mark would change",
        "{file}：只有換行符號或位元組順序記號會改動",
        "{file}：只有换行符或字节顺序标记会改动",
        "{file}：改行コードかバイト順マークだけが変わる",
    ),
    # stats
    "stats_all": (
        "All {hands} winning hands, each once: drawn by East, with the tile that scores most",
        "全部{hands}種和牌，每種計一次：東家自摸，和張取得分最高的一張",
        "全部{hands}种和牌，每种计一次：东家自摸，和张取得分最高的一张",
        "和了形{hands}種を一度ずつ。親のツモ、和了牌は最も高くなる牌とする",
    ),
    "stats_sample": (
        "{hands} winning hands by chance (seed {seed}): drawn by East, with the tile that scores "
        "most",
        "隨機抽取{hands}手和牌（種子{seed}）：東家自摸，和張取得分最高的一張",
        "随机抽取{hands}手和牌（种子{seed}）：东家自摸，和张取得分最高的一张",
        "無作為に選んだ{hands}手（シード{seed}）。親のツモ、和了牌は最も高くなる牌とする",
    ),
    "stats_sample_weighted": (
        "{hands} winning hands by chance (seed {seed}), each as likely as there are ways to draw "
        "it: drawn by East, with the tile that scores most",
        "按摸成的取法多少隨機抽取{hands}手和牌（種子{seed}）：東家自摸，和張取得分最高的一張",
        "按摸成的取法多少随机抽取{hands}手和牌（种子{seed}）：东家自摸，和张取得分最高的一张",
        "引ける通り数に応じて無作為に選んだ{hands}手（シード{seed}）。"
        "親のツモ、和了牌は最も高くなる牌とする",
    ),
    "stats_records": (
        "{hands} hands of {file}, each as it was won",
        "{file}的{hands}手牌，各按實際和法計算",
        "{file}的{hands}手牌，各按实际和法计算",
        "{file}の{hands}手。それぞれ実際の和了り方で数える",
    ),
    "stats_weighted": (
        "Each counts as often as it can be drawn from the wall: {ways} ways in all.",
        "各按從牌牆摸成的取法數計算，共{ways}種取法。",
        "各按从牌墙摸成的取法数计算，共{ways}种取法。",
        "山から引ける通り数で数える。全部で{ways}通り。",
    ),
    "stats_wins": (
        "Wins: {wins} ({share}), mean {mean} points, median {median}.",
        "和牌：{wins}（{share}），平均{mean}分，中位數{median}分。",
        "和牌：{wins}（{share}），平均{mean}分，中位数{median}分。",
        "和了：{wins}（{share}）、平均{mean}点、中央値{median}点。",
    ),
    "stats_mean": ("mean {mean}", "平均{mean}", "平均{mean}", "平均{mean}"),
    "stats_not_wins": (
        "Below the minimum: {below}. No winning shape: {incomplete}.",
        "未達起和：{below}。不成和牌形：{incomplete}。",
        "未达起和：{below}。不成和牌形：{incomplete}。",
        "最低点未満：{below}。和了形でない：{incomplete}。",
    ),
    "stats_errors": (
        "Records in error, left out: {n}.",
        "有誤而不計的記錄：{n}。",
        "有误而不计的记录：{n}。",
        "誤りがあり除いた記録：{n}。",
    ),
    "share_of_wins": ("Of wins", "佔和牌", "占和牌", "和了中"),
    "lost_head": ("Lost", "不計", "不计", "数えず"),
    "lost_to_head": ("Most often to", "多由何者取代", "多由何者取代", "主に優先された役"),
    "wins_head": ("Wins", "和牌", "和牌", "和了"),
    "stats_never": (
        "Never there: {patterns}",
        "從未出現：{patterns}",
        "从未出现：{patterns}",
        "一度も現れない：{patterns}",
    ),
    "stats_totals": ("Totals", "總分分佈", "总分分布", "合計の分布"),
    "stats_together": (
        "Most often together",
        "最常一同計分",
        "最常一同计分",
        "最もよく同時に数える組",
    ),
    "stats_scale": (
        "share of wins, each step ten times the one before",
        "佔和牌的比例，每格為前一格的十倍",
        "占和牌的比例，每格为前一格的十倍",
        "和了に占める割合、一目盛ごとに十倍",
    ),
    "stats_plot": ("Drawn: {file}", "已繪圖：{file}", "已绘图：{file}", "描いた図：{file}"),
}


def say(key: str, language: str, **values: object) -> str:
    """A phrase in a language with its values put in. Raises `KeyError` for an unknown key."""
    phrase = PHRASES[key][LANGUAGES.index(language)]
    return phrase.format(**values) if values else phrase


def say_points(n: int, language: str) -> str:
    """A number of points, such as `5 points`."""
    return say("point" if n == 1 else "points", language, n=n)
