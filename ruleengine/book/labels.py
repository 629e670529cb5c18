"""The words of the rule book that are its own; the rest comes from the faces' table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.faces.words import PHRASES, say
from ruleengine.ruleset.model import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruleengine.faces.words import Phrase

LABELS: Mapping[str, Phrase] = {
    # en, zh-Hant, zh-Hans, ja
    "rule_book": ("Rule book", "規則手冊", "规则手册", "ルールブック"),
    "version": ("version {}", "版本 {}", "版本 {}", "バージョン {}"),
    "with_options": ("with {}", "設定：{}", "设置：{}", "設定：{}"),
    "contents": ("Contents", "目錄", "目录", "目次"),
    "short_list": ("All patterns", "和種一覽", "和种一览", "役一覧"),
    "code": ("Code", "編號", "编号", "番号"),
    "pattern": ("Pattern", "和種", "和种", "役"),
    "worth": ("Points", "分", "分", "点"),
    "meaning": ("What it is", "要點", "要点", "内容"),
    "several_worths": ("or", "或", "或", "か"),
    "depends": ("varies", "不定", "不定", "可変"),
    "patterns": ("The patterns", "和種詳解", "和种详解", "役の詳細"),
    "part": ("Patterns {}", "第 {} 類", "第 {} 类", "第 {} 類"),
    "series_note": (
        "Of these, the one worth most counts.",
        "以下只計分數最高的一個。",
        "以下只计分数最高的一个。",
        "この中では最も高い一つだけを数える。",
    ),
    "exactly": ("Exactly", "準確條件", "准确条件", "正確な条件"),
    "how_often": ("It counts", "計算次數", "计算次数", "数える回数"),
    "instead_of": (
        "It counts instead of {}.",
        "計此和種便不計{}。",
        "计此和种便不计{}。",
        "これを数えるとき{}は数えない。",
    ),
    "bonus_note": (
        "A bonus: it adds to the total but does not open a hand.",
        "附加分：加入總分，但不能憑它和牌。",
        "附加分：加入总分，但不能凭它和牌。",
        "追加点：合計に加わるが、これだけでは和了の条件を満たさない。",
    ),
    "hits": ("Counts", "符合", "符合", "成立"),
    "misses": ("Does not count", "不符合", "不符合", "不成立"),
    "fails": ("not so: {}", "未符合：{}", "未符合：{}", "満たさない条件：{}"),
    "found": (
        "{words} (there: {n})",
        "{words}（實有{n}）",
        "{words}（实有{n}）",
        "{words}（実際は{n}）",
    ),
    "because": (
        "{words} (because of {what})",
        "{words}（因為{what}）",
        "{words}（因为{what}）",
        "{words}（{what}のため）",
    ),
    "too_much_work": (
        "not drawn: with the examples before it is too much work",
        "未畫出：連同之前的例子，計算量過大",
        "未画出：连同之前的例子，计算量过大",
        "図は省略：前の例と合わせると計算が多すぎる",
    ),
    "cannot_score": ("cannot be scored: {}", "無法計分：{}", "无法计分：{}", "計算できない：{}"),
    "status_note": (
        "How sure the source is: stated – the source says so; implied – it follows from it; "
        "reconstructed – put together from other evidence.",
        "可信程度：原文明言＝來源直接寫明；由文意推得＝來源未寫明而可推知；重建＝據其他資料重組。",
        "可信程度：原文明言＝来源直接写明；由文意推得＝来源未写明而可推知；重建＝据其他资料重组。",
        "確かさ：原文に明記＝出典に書かれている、文意から推定＝出典から導かれる、復元＝ほかの資料から組み立てた。",
    ),
    # the total
    "total": ("The total", "計分方法", "计分方法", "点数の数え方"),
    "total_sum": (
        "The points of all patterns that the hand has are added up.",
        "手牌符合的各和種分數相加。",
        "手牌符合的各和种分数相加。",
        "成立した役の点を合計する。",
    ),
    "total_series": (
        "Of the patterns of one series only the one worth most counts.",
        "同一系列的和種只計分數最高的一個。",
        "同一系列的和种只计分数最高的一个。",
        "同じ系列の役は最も高い一つだけを数える。",
    ),
    "total_units": (
        "Patterns award {units}, each added up by itself.",
        "和種以{units}計算，各自相加。",
        "和种以{units}计算，各自相加。",
        "役は{units}で数え、それぞれ合計する。",
    ),
    "total_value": (
        "The value of the hand is then {}.",
        "牌分為{}。",
        "牌分为{}。",
        "手の点数は{}である。",
    ),
    "total_bonus": (
        "Bonuses are added after that and do not count towards the minimum: {}.",
        "附加分另加，不計入起和：{}。",
        "附加分另加，不计入起和：{}。",
        "追加点はそのあとに加え、最低点には数えない：{}。",
    ),
    "total_cap": (
        "No hand is worth more than {}, whatever its patterns add to, unless one pattern alone is.",
        "各和種相加以{}為上限；單一和種本身高於此數者除外。",
        "各和种相加以{}为上限；单一和种本身高于此数者除外。",
        "役の合計は{}を上限とする。ただし一つの役だけでこれを超えるものは別とする。",
    ),
    "total_plain_cap": (
        "No hand is worth more than {}.",
        "每手牌最多{}。",
        "每手牌最多{}。",
        "一つの手は最高{}。",
    ),
    "total_limit": (
        "A pattern worth {} or more stands alone: the hand is worth that pattern and nothing else; "
        "of several, the highest one.",
        "{}或以上的和種單獨計算，不再加其他和種；同時有幾個時只計最高的一個。",
        "{}或以上的和种单独计算，不再加其他和种；同时有几个时只计最高的一个。",
        "{}以上の役は単独で数え、ほかの役を加えない。いくつもあるときは最も高い一つだけを数える。",
    ),
    "total_limit_list": ("These are: {}.", "計有：{}。", "计有：{}。", "該当する役：{}。"),
    "total_empty": (
        "A hand that fits a shape but has no pattern is worth {}.",
        "牌形完整而沒有任何和種的牌計{}。",
        "牌形完整而没有任何和种的牌计{}。",
        "形が揃っていて役が一つもない手は{}とする。",
    ),
    "total_empty_named": (
        "A hand that fits a shape but has no pattern ({name}) is worth {n}.",
        "牌形完整而沒有任何和種的牌（{name}）計{n}。",
        "牌形完整而没有任何和种的牌（{name}）计{n}。",
        "形が揃っていて役が一つもない手（{name}）は{n}とする。",
    ),
    "total_minimum": (
        "A hand needs at least {} to win.",
        "至少{}才能和牌。",
        "至少{}才能和牌。",
        "和了には{}以上が必要である。",
    ),
    "total_no_minimum": (
        "Every complete hand may win; there is no minimum.",
        "不設起和：牌形完整即可和牌。",
        "不设起和：牌形完整即可和牌。",
        "最低点はなく、形が揃えば和了できる。",
    ),
    "total_reading": (
        "Where a hand can be read in several ways, the one reading that is worth most counts as a "
        "whole.",
        "一手牌有幾種讀法時，取總分最高的一種讀法整個計算。",
        "一手牌有几种读法时，取总分最高的一种读法整个计算。",
        "手をいく通りにも読めるときは、合計が最も高い一つの読み方だけで数える。",
    ),
    # payments
    "payments": ("Payments", "支付", "支付", "点数の授受"),
    "payments_win": (
        "After a win each of the other players pays by the first line that fits; the winner gets "
        "the sum.",
        "和牌後，其餘各家按第一條符合的規定付分，和牌者收取總和。",
        "和牌后，其余各家按第一条符合的规定付分，和牌者收取总和。",
        "和了のあと、ほかの各家は最初に当てはまる行に従って払い、和了者がその合計を受け取る。",
    ),
    "payments_exhausted": (
        "When the wall is exhausted each player pays each other by the first line that fits.",
        "流局時，各家按第一條符合的規定互付。",
        "流局时，各家按第一条符合的规定互付。",
        "流局のときは、各家が最初に当てはまる行に従って互いに払う。",
    ),
    "payments_wrong_win": (
        "After a wrong win each player pays each other by the first line that fits.",
        "錯和時，各家按第一條符合的規定互付。",
        "错和时，各家按第一条符合的规定互付。",
        "誤和了のときは、各家が最初に当てはまる行に従って互いに払う。",
    ),
    "payments_none": (
        "This ruleset says nothing about payments.",
        "此規則沒有訂明支付。",
        "此规则没有订明支付。",
        "このルールには授受の定めがない。",
    ),
    "when": ("When", "情形", "情形", "場合"),
    "pays": ("Each pays", "各付", "各付", "払う額"),
    "otherwise": ("otherwise", "其他情形", "其他情形", "それ以外"),
    "always": ("always", "任何情形", "任何情形", "常に"),
    "worked": ("Worked examples", "計算實例", "计算实例", "計算例"),
    "example_small": ("A small hand", "小牌", "小牌", "小さな手"),
    "example_middle": ("A middling hand", "中等的牌", "中等的牌", "中くらいの手"),
    "example_large": ("A large hand", "大牌", "大牌", "大きな手"),
    "case": ("Case", "情形", "情形", "場合"),
    "case_ready": ("ready: {}", "聽牌：{}", "听牌：{}", "聴牌：{}"),
    "case_offender": ("wrong win: {}", "錯和：{}", "错和：{}", "誤和了：{}"),
    "hand_worth": ("Worth", "牌分", "牌分", "手の点"),
    # the rest
    "to_play": ("What is played with", "用牌與牌形", "用牌与牌形", "牌と和了形"),
    "wall": ("{n} tiles: {parts}", "共{n}張：{parts}", "共{n}张：{parts}", "全{n}枚：{parts}"),
    "wall_each": ("{n} each of {tiles}", "{tiles}各{n}張", "{tiles}各{n}张", "{tiles}を各{n}枚"),
    "seat_flowers": (
        "Flowers of {seat}: {tiles}",
        "{seat}的花牌：{tiles}",
        "{seat}的花牌：{tiles}",
        "{seat}の花牌：{tiles}",
    ),
    "shapes": ("Shapes of winning hands", "和牌形", "和牌形", "和了形"),
    "shape_sets": ("{} sets", "{}組面子", "{}组面子", "{}面子"),
    "shape_set": ("{} set", "{}組面子", "{}组面子", "{}面子"),
    "shape_pairs": ("{} pairs", "{}組對子", "{}组对子", "{}対子"),
    "shape_pair": ("{} pair", "{}組對子", "{}组对子", "{}対子"),
    "shape_listed": (
        "{n} tiles such as {tiles}",
        "特定的{n}張牌，例如{tiles}",
        "特定的{n}张牌，例如{tiles}",
        "決まった{n}枚、例えば{tiles}",
    ),
    "options": ("What a table may choose", "可選規則", "可选规则", "選択できる規則"),
    "option_now": ("here {}", "本冊採用「{}」", "本册采用“{}”", "ここでは「{}」"),
    "events": ("Circumstances", "和牌時的情形", "和牌时的情形", "和了の状況"),
    "event_needs": ("Only if {}.", "必須{}。", "必须{}。", "条件：{}。"),
    "interpretations": (
        "Where the source leaves a question open",
        "規則解釋",
        "规则解释",
        "出典に書かれていない点",
    ),
    "source": ("Source and licence", "來源與授權", "来源与许可", "出典とライセンス"),
    "legend": ("How to read the hands", "牌例說明", "牌例说明", "手牌の見方"),
    "legend_won": ("the winning tile", "和的那張牌", "和的那张牌", "和了牌"),
    "legend_claimed": ("a claimed set", "副露的面子", "副露的面子", "副露した面子"),
    "legend_concealed_kong": ("a concealed kong", "暗槓", "暗杠", "暗槓"),
    "tile_back": ("face down", "蓋著的牌", "盖着的牌", "伏せた牌"),
    "tile_claimed": ("{}, claimed", "{}，副露", "{}，副露", "{}、副露"),
    "tile_won": ("{}, the winning tile", "{}，和的那張牌", "{}，和的那张牌", "{}、和了牌"),
    "generated": (
        "Made from the ruleset {id}. Hands, points and payments were worked out by the engine.",
        "由規則檔 {id} 產生；牌例的分數與支付由程式算出。",
        "由规则文件 {id} 生成；牌例的分数与支付由程序算出。",
        "ルール {id} から作成。手の点数と授受は計算による。",
    ),
    "yes": ("yes", "是", "是", "はい"),
    "no": ("no", "否", "否", "いいえ"),
    "full_stop": (".", "。", "。", "。"),
    "semicolon": ("; ", "；", "；", "；"),
    "plus": (" + ", " ＋ ", " ＋ ", " ＋ "),
}


def label(key: str, language: str, *places: object, **named: object) -> str:
    """A label of the book, or a phrase of the faces. Raises `KeyError` for an unknown key."""
    if key in LABELS:
        return LABELS[key][LANGUAGES.index(language)].format(*places, **named)
    if key in PHRASES:
        return say(key, language, **named)
    raise KeyError(key)
