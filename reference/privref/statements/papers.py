"""The papers whose statements are registered: authors, title, and where to find the version that is cited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: Whether a developer of this project has read the text: else the citation is as others quote it.
Read = Literal["yes", "abstract only", "no"]

_QUOTED = "cited as others quote it; numbers and wording unconfirmed"


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper as it is cited; ``doi`` and ``arxiv`` are empty where there is none or it is not known.

    ``read`` says whether a developer of this project has read its text, ``note`` which text, or what is unconfirmed.
    """

    authors: str
    title: str
    venue: str
    doi: str = ""
    arxiv: str = ""
    read: Read = "no"
    note: str = _QUOTED

    @property
    def citation(self) -> str:
        """Authors, year and title."""
        return f"{self.authors}, {self.title}"

    @property
    def short_citation(self) -> str:
        """The authors as a sentence names them, and the year."""
        people, year = self.authors.rsplit(" ", 1)
        names = people.split(", ")
        return f"{names[0]} et al. {year}" if len(names) > 2 else f"{' and '.join(names)} {year}"

    @property
    def links(self) -> tuple[str, ...]:
        """Where the paper is, as addresses."""
        doi = (f"https://doi.org/{self.doi}",) if self.doi else ()
        return doi + ((f"https://arxiv.org/abs/{self.arxiv}",) if self.arxiv else ())


REFERENCES: dict[str, Paper] = {
    "rogers2016": Paper(
        "Rogers, Roth, Ullman, Vadhan 2016",
        "Privacy odometers and filters: pay-as-you-go composition",
        "NeurIPS 2016, pages 1921-1929; theorem numbers are the conference version's",
        arxiv="1605.08294",
        read="yes",
        note="the conference's text, NeurIPS 2016, without its supplement, in two extractions that lack some symbols",
    ),
    "whitehouse2023": Paper(
        "Whitehouse, Ramdas, Rogers, Wu 2023",
        "Fully adaptive composition in differential privacy",
        "ICML 2023; theorem numbers are the conference version's, and the arXiv text's where that is said",
        arxiv="2203.05481",
        read="yes",
        note="the conference's text, ICML 2023, and an unversioned arXiv text where that is said; extractions",
    ),
    "hartmann2022": Paper(
        "Hartmann, Bindschaedler, Bentkamp, West 2022",
        "Privacy accounting economics: improving differential privacy composition via a posteriori bounds",
        "PoPETs 2022",
        doi="10.56553/popets-2022-0070",
        read="yes",
        note="the journal's text up to the proof of Lemma 21, in an extraction",
    ),
    "kov2015": Paper(
        "Kairouz, Oh, Viswanath 2015",
        "The composition theorem for differential privacy",
        "ICML 2015, pages 1376-1385",
        arxiv="1311.0776",
        read="no",
        note="Theorem 3.3 as Hartmann et al. 2022 quote it; checked in proofs/kov2015",
    ),
    "mv2016": Paper(
        "Murtagh, Vadhan 2016",
        "The complexity of computing the optimal composition of differential privacy",
        "TCC 2016-A, Part I, pages 157-175",
        arxiv="1507.03113",
    ),
    "cks2020": Paper(
        "Canonne, Kamath, Steinke 2020",
        "The discrete Gaussian for differential privacy",
        "NeurIPS 2020",
        arxiv="2004.00010",
    ),
    "mironov2017": Paper(
        "Mironov 2017", "Renyi differential privacy", "CSF 2017", doi="10.1109/CSF.2017.11", arxiv="1702.07476"
    ),
    "feldman2021": Paper(
        "Feldman, Zrnic 2021",
        "Individual privacy accounting via a Renyi filter",
        "NeurIPS 2021",
        arxiv="2008.11193",
        read="abstract only",
        note="numbers unconfirmed; the filters that are used are proved anew in proofs/derivations",
    ),
    "lecuyer2021": Paper(
        "Lecuyer 2021",
        "Practical privacy filters and odometers with Renyi differential privacy",
        "preprint",
        arxiv="2103.01379",
    ),
    "smith2022": Paper(
        "Smith, Thakurta 2022",
        "Fully adaptive composition for Gaussian differential privacy",
        "preprint",
        arxiv="2210.17520",
    ),
    "koskela2023": Paper(
        "Koskela, Tobaben, Honkela 2023",
        "Individual privacy accounting with Gaussian differential privacy",
        "ICLR 2023",
        arxiv="2209.15596",
    ),
    "zdw2022": Paper(
        "Zhu, Dong, Wang 2022",
        "Optimal accounting of differential privacy via characteristic function",
        "AISTATS 2022",
        arxiv="2106.08567",
        read="no",
        note=(
            "Theorems 10 and 11 as others quote them (autodp cites Theorem 11 for Poisson samples); checked "
            "in proofs/zdw2022"
        ),
    ),
    "mtz2019": Paper(
        "Mironov, Talwar, Zhang 2019",
        "Renyi differential privacy of the sampled Gaussian mechanism",
        "preprint",
        arxiv="1908.10530",
    ),
    "chua2024": Paper(
        "Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha, Zhang 2024",
        "How private are DP-SGD implementations?",
        "ICML 2024",
        arxiv="2403.17673",
    ),
    "chua2024b": Paper(
        "Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha, Zhang 2024",
        "Scalable DP-SGD: shuffling vs. Poisson subsampling",
        "NeurIPS 2024",
        arxiv="2411.04205",
        read="no",
        note="Theorem 3.3 as the documentation of JAX-privacy says it; a sharper term is proved in proofs/chua2024b",
    ),
    "chua2025": Paper(
        "Chua, Ghazi, Harrison, Leeman, Kamath, Kumar, Manurangsi, Sinha, Zhang 2025",
        "Balls-and-bins sampling for DP-SGD",
        "AISTATS 2025",
        arxiv="2412.16802",
        read="abstract only",
        note="the dominating pair is derived, and its profile enclosed, in profiles/allocation.py and proofs/chua2025",
    ),
    "cesar2021": Paper(
        "Cesar, Rogers 2021",
        "Bounding, concentrating, and truncating: unifying privacy loss composition for data analytics",
        "ALT 2021",
        arxiv="2004.07223",
    ),
    "dong2020": Paper(
        "Dong, Durfee, Rogers 2020",
        "Optimal differential privacy composition for exponential mechanisms and the cost of adaptivity",
        "ICML 2020",
        arxiv="1909.13830",
        read="abstract only",
        note=(
            "Theorem 3 and Proposition 4 as two public programs quote them: both numbers unconfirmed; proved "
            "anew in proofs/derivations"
        ),
    ),
    "rogers2023": Paper(
        "Rogers 2023",
        "A unifying privacy analysis framework for unknown domain algorithms in differential privacy",
        "preprint",
        arxiv="2309.09170",
    ),
    "ligett2017": Paper(
        "Ligett, Neel, Roth, Waggoner, Wu 2017",
        "Accuracy first: selecting a differential privacy level for accuracy-constrained ERM",
        "NeurIPS 2017",
        arxiv="1705.10829",
    ),
    "whitehouse2022": Paper(
        "Whitehouse, Ramdas, Wu, Rogers 2022",
        "Brownian noise reduction: maximizing privacy subject to accuracy constraints",
        "NeurIPS 2022",
        arxiv="2206.07234",
    ),
    "rswr2023": Paper(
        "Rogers, Samorodnitsky, Wu, Ramdas 2023",
        "Adaptive privacy composition for accuracy-first mechanisms",
        "NeurIPS 2023",
        arxiv="2306.13824",
    ),
    "haney2023": Paper(
        "Haney, Shoemate, Tian, Vadhan, Vyrros, Xu, Zhang 2023",
        "Concurrent composition for interactive differential privacy with adaptive privacy-loss parameters",
        "CCS 2023",
        arxiv="2309.05901",
        read="abstract only",
        note="numbers of theorems unconfirmed; what is used is proved in proofs/derivations/concurrent.py",
    ),
    "mcsherry2009": Paper(
        "McSherry 2009",
        "Privacy integrated queries: an extensible platform for privacy-preserving data analysis",
        "SIGMOD 2009, pages 19-30",
        doi="10.1145/1559845.1559850",
    ),
    "dr2014": Paper(
        "Dwork, Roth 2014",
        "The algorithmic foundations of differential privacy",
        "Foundations and Trends in Theoretical Computer Science 9(3-4)",
        doi="10.1561/0400000042",
    ),
    "bs2016": Paper(
        "Bun, Steinke 2016",
        "Concentrated differential privacy: simplifications, extensions, and lower bounds",
        "TCC 2016-B, Part I, pages 635-658",
        arxiv="1605.02065",
    ),
    "vadhan2017": Paper(
        "Vadhan 2017",
        "The complexity of differential privacy",
        "Tutorials on the Foundations of Cryptography, pages 347-450",
        doi="10.1007/978-3-319-57048-8_7",
    ),
    "bbg2018": Paper(
        "Balle, Barthe, Gaboardi 2018",
        "Privacy amplification by subsampling: tight analyses via couplings and divergences",
        "NeurIPS 2018",
        arxiv="1807.01647",
    ),
    "liu2019": Paper(
        "Liu, Talwar 2019",
        "Private selection from private candidates",
        "STOC 2019",
        arxiv="1811.07971",
        read="abstract only",
        note=(
            "Theorems 3.1 and 3.2 unconfirmed, and so are the cap on the trials and the eps_0 of their "
            "printed form; without a cap proved anew in proofs/liu2019"
        ),
    ),
    "papernot2022": Paper(
        "Papernot, Steinke 2022",
        "Hyperparameter tuning with Renyi differential privacy",
        "ICLR 2022",
        arxiv="2110.03620",
        read="no",
        note=(
            "the theorems are quoted as programs have them (RepeatAndSelectDpEvent of dp-accounting), and proved anew "
            "in proofs/derivations/selection.py"
        ),
    ),
    "steinke2023": Paper(
        "Steinke, Nasr, Jagielski 2023",
        "Privacy auditing with one (1) training run",
        "NeurIPS 2023",
        arxiv="2305.08846",
        note="as the programs that quote its Appendix D have it; the bound that is used here is derived anew",
    ),
    "clopper1934": Paper(
        "Clopper, Pearson 1934",
        "The use of confidence or fiducial limits illustrated in the case of the binomial",
        "Biometrika 26(4), pages 404-413",
        doi="10.1093/biomet/26.4.404",
    ),
    "kahane1985": Paper(
        "Kahane 1985",
        "Sur le chaos multiplicatif",
        "Annales des sciences mathematiques du Quebec 9(2), pages 105-150",
        arxiv="1305.6221",
        read="no",
        note=(
            "the address is that of a review which quotes the inequality (Rhodes, Vargas 2014); it is proved anew in "
            "proofs/derivations/exchanged.py"
        ),
    ),
    "mckenna2020": Paper(
        "McKenna, Sheldon 2020",
        "Permute-and-flip: a new mechanism for differentially private selection",
        "NeurIPS 2020",
        arxiv="2010.12603",
        read="no",
        note="that it is the noisy maximum with exponential noise (Ding et al. 2021) is proved anew, with its profile, "
        "in proofs/derivations/noisy_max.py",
    ),
    "kalinin2024": Paper(
        "Kalinin, Lampert 2024",
        "Banded square root matrix factorization for differentially private model training",
        "NeurIPS 2024",
        arxiv="2405.13763",
        read="no",
        note="the theorem is proved anew in proofs/derivations/correlated.py, with the adaptive sums of the rounds",
    ),
    "dvijotham2024": Paper(
        "Dvijotham, McMahan, Pillutla, Steinke, Thakurta 2024",
        "Efficient and near-optimal noise generation for streaming differential privacy",
        "FOCS 2024",
        arxiv="2404.16706",
        read="no",
        note="the coefficients are as programs have them; the rest is in proofs/derivations/correlated.py",
    ),
    "choquette2023": Paper(
        "Choquette-Choo, Ganesh, McKenna, McMahan, Rush, Thakurta, Xu 2023",
        "(Amplified) Banded matrix factorization: a unified approach to private training",
        "NeurIPS 2023",
        arxiv="2306.08153",
        read="no",
        note="the theorem is proved anew in proofs/derivations/correlated.py",
    ),
    "kairouz2021": Paper(
        "Kairouz, McMahan, Song, Thakkar, Thakurta, Xu 2021",
        "Practical and private (deep) learning without sampling or shuffling",
        "ICML 2021",
        arxiv="2103.00039",
        read="no",
        note="what a unit changes of the tree's sums is proved in proofs/derivations/correlated.py",
    ),
    "gdp": Paper(
        "Dong, Roth, Su 2019",
        "Gaussian differential privacy",
        "JRSS B 2022",
        doi="10.1111/rssb.12454",
        arxiv="1905.02383",
    ),
}

#: The citation of each paper, by the first part of a statement's id.
PAPERS: dict[str, str] = {key: paper.citation for key, paper in REFERENCES.items()}
