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
}


def say(key: str, language: str, **values: object) -> str:
    """A phrase in a language with its values put in. Raises `KeyError` for an unknown key."""
    phrase = PHRASES[key][LANGUAGES.index(language)]
    return phrase.format(**values) if values else phrase


def say_points(n: int, language: str) -> str:
    """A number of points, such as `5 points`."""
    return say("point" if n == 1 else "points", language, n=n)
