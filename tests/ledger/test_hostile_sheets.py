"""Sheets that say more than their numbers: rows behind an open quote, how often, bounds from below, no run at all."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import privref

OFTEN, BOUND, RAN, QUOTE = "did it run more than once", "is the number of this row at least", "did this row run", "open"
HEAD = "release,epsilon"
#: Sheets, the place that is asked about, and the question.
HOSTILE = {
    # Rows that an open quotation mark makes a part of a cell.
    f'{HEAD},delta\n"A\nB,3,1e-6\nC",0.1,1e-6\n': ("line 4", QUOTE),
    f'{HEAD}\n"A,0.1\nB",3\n': ("line 3", QUOTE),
    f'{HEAD},source\nA,0.1,"see\nB,3,x"\nC,0.2,y\n': ("line 3", QUOTE),
    f'{HEAD},source\nA,0.1,"see\rB,3,x"\n': ("line 2", QUOTE),
    'release;epsilon\n"A;0,1\nB;≤ 3\nC";0,1\n': ("line 4", QUOTE),
    f'{HEAD},"source\nB,3,x\nC",url\nA,0.1,x,y\n': ("header, column 3", "does not show"),
    f'{HEAD}\nA,0.1\n"B,3\n': ("line 3", "opens and does not close"),
    # Titles, and headings.
    f"Each row ran twelve times\n{HEAD}\nA,0.1\n": ("line 1", "'twelve times'"),
    f"Daily releases of 2023\n{HEAD}\nA,0.1\n": ("line 1", "'daily'"),
    f"All queries were repeated a dozen times.\n{HEAD}\nA,0.1\n": ("line 1", "take this line out"),
    f"Ledger - weekly\n\n{HEAD}\nA,0.1\n": ("line 1", OFTEN),
    f"# each row: runs = 365\n{HEAD}\nA,0.1\n": ("line 1", OFTEN),
    f"Jede Zeile lief zwölfmal\n{HEAD}\nA,0.1\n": ("line 1", OFTEN),
    f"epsilon per person and year\n{HEAD}\nA,0.1\n": ("line 1", OFTEN),
    f"Lower bounds on epsilon\n{HEAD}\nA,0.1\n": ("line 1", BOUND),
    f"Average epsilon per user\n{HEAD}\nA,0.1\n": ("line 1", BOUND),
    "epsilon,Monthly product\n0.1,A\n": ("column Monthly product", OFTEN),
    # Words with signs, in every column that is kept and changes no verdict.
    f"{HEAD}\n12 releases of A,0.1\n": ("column release", OFTEN),
    f"{HEAD}\nA [12x],0.1\n": ("column release", OFTEN),
    f"{HEAD},source\nA,0.1,daily\n": ("column source", OFTEN),
    f"{HEAD},source\nA,0.1,weekly!\n": ("column source", OFTEN),
    f"{HEAD},date\nA,0.1,(daily)\n": ("column date", OFTEN),
    f"{HEAD},date\nA,0.1,2023-01-01 to 2023-12-31\n": ("column date", OFTEN),
    f'{HEAD},date\nA,0.1,"Jan, Feb, Mar"\n': ("column date", OFTEN),
    f'{HEAD},date\nA,0.1,"2023-01, 2023-02"\n': ("column date", OFTEN),
    f"{HEAD},date\nA,0.1,2019–2023\n": ("column date", OFTEN),
    f"{HEAD},note\nA,0.1,- daily -\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,*monthly*\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,[12x]\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,this was repeated twelve times in 2023\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,da\u200bily\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,ｄａｉｌｙ\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,{'a long text ' * 100} ran 12 times\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,on each request\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,per calendar week\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,täglich\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,mensuel\n": ("column note", OFTEN),
    f"{HEAD},note,team\nA,0.1,x,updated every day\n": ("column team", OFTEN),
    # An epsilon that is no upper bound, and rows that are none.
    f"{HEAD},bound\nA,0.1,lower\n": ("column bound", BOUND),
    f"{HEAD},bound\nA,0.1,unknown\n": ("column bound", BOUND),
    f"{HEAD},note\nA,0.1,at least\n": ("column note", BOUND),
    f"{HEAD},\nA,0.1,~\n": ("column 3", BOUND),
    f"{HEAD},op\nA,0.1,>=\n": ("column op", BOUND),
    f"{HEAD},comparison\nA,0.1,greater than\n": ("column comparison", BOUND),
    f"{HEAD},note\nA,0.1,not less than\n": ("column note", BOUND),
    f"{HEAD},type\nA,0.1,empirical\n": ("column type", BOUND),
    f"{HEAD},method\nA,0.1,membership inference attack\n": ("column method", BOUND),
    f"{HEAD},note\nA,0.1,median over users\n": ("column note", BOUND),
    f"{HEAD},source\nA,0.1,lower bound of an attack\n": ("column source", BOUND),
    f"{HEAD}\nA (at least),0.1\n": ("column release", BOUND),
    f"{HEAD},status\nA,0.1,planned\n": ("column status", RAN),
    f"{HEAD},rejected\nA,0.1,yes\n": ("column rejected", RAN),
    f"{HEAD},unit\nA,0.1,percent\n": ("column unit", "read as they stand"),
    f"{HEAD},unit\nA,0.1,event\n": ("column unit", "call the column privacy unit"),
    f"{HEAD},adjacency\nA,0.1,replace\n": ("column 3", "--neighbours"),
    f"{HEAD},note\nA,0.1,metric DP\n": ("column note", "says metric DP"),
    f"{HEAD},note\nA,0.1,with high probability\n": ("column note", BOUND),
    f"{HEAD},note\nA,0.1,truncated\n": ("column note", "were numbers rounded"),
    f"All numbers are rounded\n{HEAD}\nA,0.1\n": ("line 1", "were numbers rounded"),
    f"{HEAD},95% CI\nA,0.1,0.05-5\n": ("column 95% CI", "does not know this column"),
    f"{HEAD},teams\nA,0.1,three\n": ("column teams", "does not know this column"),
    f"{HEAD},note\nA,0.1,a dozen\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,365 nights\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,Mondays\n": ("column note", OFTEN),
    f"{HEAD},period,note\nA,0.1,week,per week 3 times\n": ("column note", OFTEN),
    f"{HEAD},period,note\nA,0.1,day,every week\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,it ran thirty times\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,a couple of times\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,in each of the 12 months\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,further rows omitted\n": ("column note", OFTEN),
    f"{HEAD},note\nA,0.1,n=12\n": ("column note", OFTEN),
    f"{HEAD}\nA,0.1\n…,0.1\n": ("column release", OFTEN),
    f"{HEAD}\nA etc.,0.1\n": ("column release", OFTEN),
    **{
        f"{HEAD},date\nA,0.1,{date}\nB,0.1,2020-05\n": ("column date", OFTEN)
        for date in ("2020-2025", "2019-20", "2024/25", "ab 2020", "KW 1-52", "laufend", "⋮")
    },
    **{
        f'{HEAD}\na,"{formula}"\n': ("column epsilon", "separate thousands")
        for formula in ("ln(1,000)", "√1,000", "1,000·ln 2", "1.000·√2", "1,000·2^-40")
    },
    f"{HEAD}\na,210^-6\n": ("column epsilon", "write"),
    "query,number,epsilon\nmean,1,0.5\nhist,2,0.5\n": ("column number", "how often the row ran"),
    f"{HEAD},,repeated,12\nA,0.1,,,\n": ("header, column 5", "a number stands in the line of the headings"),
    f"{HEAD},\nA,0.1,0.2\n": ("column 3", "this column has no heading"),
    f"{HEAD}\nmonthly business survey 2020-2024,0.5\n": ("column release", OFTEN),
    f"{HEAD}\nweekly survey,0.5\n": ("column release", OFTEN),
    f"{HEAD}\nA,0.1\n⋮,0.1\n": ("column release", OFTEN),
    f'{HEAD},date\nA,0.1,"Q1, Q2"\n': ("column date", OFTEN),
    f"epsilon per query\n{HEAD}\nA,0.1\n": ("line 1", OFTEN),
    **{
        f'{HEAD}\n"{often}",0.1\nB,0.2\n': ("column release", OFTEN)
        for often in (
            "12 Monate", "12 mal", "12 fois", "doce veces", "je Quartal", "par trimestre", "tous les mois",
            "alle 14 Tage", "for each of the 16 states", "in every region", "ten tables", "10 Tabellen",
            "Tables 1-10", "Tabellen 1 bis 10", "reruns: 3", "ran again in May", "3 versions", "4 waves", "Q1-Q4",
            "Jan-Dec", "(12)", "dozen", "several",
        )
    },
    f"{HEAD}\nA,0.1\nNote: every release was run for each of 16 regions\n": ("line 3", OFTEN),
    # Headings whose first answer would lose a number.
    "release,epsilon,,release,epsilon\nA,0.1,,C,0.3\n": ("header, column 5", "write all of them below each other"),
    "release,Epsilon 2023,Epsilon 2024\nA,1,2\n": ("header", "Epsilon 2023, Epsilon 2024 may each do so; if "),
    "release,epsilon min,epsilon max\nA,1,2\n": ("header", "epsilon min: such a number bounds nothing from above"),
    f"{HEAD},epsilon partition selection\nA,0.1,0.05\n": ("column epsilon partition", "does the row lose this too?"),
    f"{HEAD}\nA (zCDP),0.5\n": ("column release", "this cell says zCDP"),
    "release,mechanism,epsilon\nA,none,0\n": ("column mechanism", "published without noise"),
    f"{HEAD},noise\nA,0,exact\n": ("column noise", "published without noise"),
    "release,epsilon at delta=1e-6\nA,1\n": ("header", "write epsilon and delta into a column each"),
    "release,2023,2024\nA,1,2\n": ("header", "are the columns years"),
    "release,mean epsilon\nA,1\n": ("header", "an average or an estimate is not"),
    "release,total_epsilon\nA,1\n": ("header", "privref adds up itself"),
    f"{HEAD},queries\nA,0.1,12\n": ("column 3", "if it says how often the row ran, call the column count"),
    "release,alpha,epsilon\nA,10,0.5\n": ("column 2", "is epsilon the Renyi epsilon of this order"),
    "release,epsilon (x10^-3)\nA,100\n": ("header", "write the epsilon itself in full"),
    "release,A,B\nepsilon,0.1,0.2\n": ("header", "lie on its side"),
    "release   epsilon   delta\nA  1  0\n": ("header", "no comma, semicolon or tab"),
    "release,Budget\nA,1\n": ("column 2", "if it is the epsilon that the row loses, call the column epsilon"),
    "batch size,dataset size,epochs\n256,60000,10\n": ("header", "the rate is batch size over records"),
    f"{HEAD}\nA,B,0.1\n": ("line 2", "put quotation marks around that cell"),
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_sheet_says_in_words_is_asked(text: str) -> None:
    place, words = HOSTILE[text]
    with pytest.raises(privref.InputError) as asked:
        privref.ledger_from_csv(text, "t")
    assert place in str(asked.value)
    assert words in str(asked.value)
    assert not hasattr(asked.value, "errors")


@pytest.mark.parametrize(
    "text",
    [
        f'{HEAD}\n"A\n(second line)",0.1\n',
        f'{HEAD},source\nA,0.1,"Smith, J.\nMiller, K."\n',
        f"Privacy losses of the 2023 survey\nReleases per table; one row each\n{HEAD}\nA,0.1\n",
        f"Each row ran twelve times\n{HEAD},count\nA,0.1,12\n",
        f"Counts per day\n{HEAD},period\nA,0.1,day\n",
        f"{HEAD},count\n12 releases of A,0.1,1\n",
        f"{HEAD},period,note\nA,0.1,week,every week\nB,0.1,week,per person and week\n",
        f"{HEAD},count,date\nA,0.1,1,2023-01-01 to 2023-12-31\n",
        f'{HEAD},date\nA,0.1,"May 5, 2023"\nB,0.1,2023-05-05T20:23:00+02:00\nC,0.1,20230505\nD,0.1,5.5.2023\n',
        f"{HEAD},bound\nA,0.1,upper\nB,0.1,≤\nC,0.1,(exact)\n",
        f"{HEAD},statistic\npersons aged at least 65,0.1,mean\nminimum wage,0.1,median\n",
        f"{HEAD},published\nA,0.1,yes\n",
        f"{HEAD},note\ncommute times,0.1,New York Times\n",
        f"epsilon of each release\n{HEAD}\nrounded income per county,0.1\n",
        f"{HEAD},month,level\nA,0.1,2023-01,county\n",
    ],
)
def test_other_words_and_what_was_answered_are_no_question(text: str) -> None:
    assert privref.ledger_from_csv(text, "t").events


@pytest.mark.parametrize(("name", "is_read"), [("Releases", True), ("per day", False)])
def test_the_name_of_a_sheet_may_say_how_often(name: str, is_read: bool, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra privref[sheets] is not installed")
    book = openpyxl.Workbook()
    book.active.title = name
    for row in (["release", "epsilon"], ["A", 0.1]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    if is_read:
        assert len(privref.read_ledger(tmp_path / "a.xlsx").events) == 1
        return
    with pytest.raises(privref.InputError, match="the sheet's name says 'per day'"):
        privref.read_ledger(tmp_path / "a.xlsx")


def test_text_around_the_table_of_a_workbook_is_asked_about(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra privref[sheets] is not installed")
    book = openpyxl.Workbook()
    for row in (["release", "epsilon"], ["A", 0.1]):
        book.active.append(row)
    book.active.oddFooter.center.text = "Page &P"
    book.save(tmp_path / "a.xlsx")
    assert len(privref.read_ledger(tmp_path / "a.xlsx").events) == 1
    with zipfile.ZipFile(tmp_path / "a.xlsx", "a") as archive:
        archive.writestr("xl/drawings/drawing1.xml", "<a:p><a:r><a:t>each row ran 12 times</a:t></a:r></a:p>")
    with pytest.raises(privref.InputError, match=r"ledger text box: .*'each row ran 12 times'.*reads no text boxes"):
        privref.read_ledger(tmp_path / "a.xlsx")
    book.active.oddHeader.center.text = "all numbers per day"
    book.save(tmp_path / "b.xlsx")
    with pytest.raises(privref.InputError, match=r"page header or footer: .*per day.*at the edge of the printed page"):
        privref.read_ledger(tmp_path / "b.xlsx")


RUN = "run,mechanism,noise multiplier,q,sampling,steps"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (f"{RUN},comment\nA,DP-SGD,1,0.01,poisson,1000,batches shuffled\n", "words say shuffled"),
        (f"{RUN},loader\nA,DP-SGD,1,0.01,poisson,1000,shuffle=True\n", "words say shuffled"),
        (f"DP-SGD with shuffled batches\n{RUN}\nA,DP-SGD,1,0.01,poisson,1000\n", "words say shuffled"),
        (f"{RUN},comment\nA,DP-SGD,1,0.01,poisson,1000,best of 20 runs\n", "chosen among several"),
        (f"{RUN}\nB (10 seeds),DP-SGD,4,0.01,poisson,100\n", "chosen among several"),
        (f"{RUN},tuning\nA,DP-SGD,1,0.01,poisson,1000,20 learning rates tried\n", "chosen among several"),
        (f"{RUN},epsilon,delta\nA,DP-SGD,1,0.01,poisson,1000,1.5,1e-5\n", "loss of all 1000 steps"),
        ("query,mechanism,sigma,sensitivity,comment\na,gaussian,2,1,sigma is the variance\n", "is sigma a variance"),
        ("release,epsilon,adaptive?\na,1,yes\n", "chosen-adaptively"),
        ("Parameters chosen after seeing results\nrelease,epsilon\na,1\n", "chosen-adaptively"),
    ],
)
def test_words_that_contradict_the_numbers_are_asked_about(text: str, question: str) -> None:
    with pytest.raises(privref.InputError, match=question):
        privref.ledger_from_csv(text, "t", neighbours="add-or-remove-one")


@pytest.mark.parametrize(
    "text",
    [
        f"{RUN},comment\nA,DP-SGD,1,0.01,shuffled,1000,batches shuffled\n",
        f"{RUN},tuning,shuffled\nA,DP-SGD,1,0.01,poisson,1000,none,no\n",
        f"{RUN},epsilon,delta\nA,DP-SGD,1,0.01,poisson,1,1.5,1e-5\n",
        "release,epsilon,adaptive?\na,1,no\n",
        "query,mechanism,sigma squared,sensitivity,comment\na,gaussian,2,1,the variance\n",
    ],
)
def test_words_that_agree_with_the_numbers_are_not(text: str) -> None:
    assert privref.ledger_from_csv(text, "t", neighbours="add-or-remove-one").rounds


def test_a_noise_multiplier_of_replaced_records_is_of_clipped_ones() -> None:
    sheet = privref.ledger_from_csv(f"{RUN}\nA,DP-SGD,1,0.01,poisson,1000\n", "t", neighbours="replace-one")
    assert sheet.rows is not None
    mechanism = sheet.rows["events"][0]["mechanism"]
    assert (mechanism["clipped"], mechanism["attained"], mechanism["base"]["sensitivity"]) == (True, False, "2")
    cap = privref.ledger_from_csv(
        f"{RUN},batch cap,records\nA,DP-SGD,1,0.01,poisson,9,50,1000\n", "t", neighbours="replace-one"
    )
    assert cap.rows is not None
    assert cap.rows["events"][0]["mechanism"]["clipped"] is True


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("ID,release,epsilon\n17,A,0.1\n4,B,0.2\n", ("ID",)),
        ("Nr.,release,epsilon\n1,A,0.1\n2,B,0.2\n3,C,0.3\n", ("Nr.",)),
        ("No,Year,release,epsilon\n0,2021,A,0.1\n1,2021,B,0.2\n", ("No", "Year")),
        ("#,epsilon\n1,0.1\n2,0.2\n", ("#",)),
        (f"{HEAD},Number of cells,dataset size\nA,0.1,40,\"60,000\"\n", ("Number of cells", "dataset size")),
        (f"{HEAD}\nWeekly hours worked,0.1\nAnnual gross income by region,0.1\n", ()),
        (f"{HEAD}\nsums,0.1\ncounts,0.2\n", ()),
    ],
)  # fmt: skip
def test_what_numbers_or_dates_the_rows_is_named_and_not_asked(text: str, unread: tuple[str, ...]) -> None:
    ledger = privref.ledger_from_csv(text, "t")
    assert (ledger.rounds, ledger.unread) == (len(text.splitlines()) - 1, unread)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        (
            "#,release,epsilon\n12,A,0.1\n3,B,0.2\n",
            "call the column ID; if it says how often the row ran, call it count",
        ),
        ("#,release,epsilon\n2,A,0.1\n2,B,0.2\n", "call the column ID"),
        ("ID,release,epsilon\n7,A,0.1\n7,B,0.2\n", "write a letter before each number, such as n7; if it says how"),
        ("Year,release,epsilon\n3,A,0.1\n", "call the column date"),
        (f"{HEAD},Number of regions\nA,0.1,12\n", "if it says how often the row ran, call it count"),
        (f"{HEAD},Number of cells\nA,0.1,12 x\n", "how often"),
        (f"{HEAD},Share of budget\nA,0.1,67%\n", "take the column out"),
        (f"{HEAD}\nWeekly counts of income,0.1\n", OFTEN),
        (f"{HEAD}\ncounts,0.1\nmap,0.1\nsums,0.2\n", "looks like the total"),
        (f"{HEAD},epochs\nA,0.1,10\n", "the row names none"),
    ],
)
def test_a_number_that_may_say_how_often_is_asked_with_its_remedy(text: str, remedy: str) -> None:
    with pytest.raises(privref.InputError) as asked:
        privref.ledger_from_csv(text, "t")
    assert remedy in str(asked.value)
    assert not hasattr(asked.value, "errors")
