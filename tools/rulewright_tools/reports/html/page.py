"""The frame of every page: one file without network and scripts, light, dark, and on paper."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import rulewright as rw

_LIGHT = """color-scheme: light; --ink: #23252b; --paper: #fbfaf7; --line: #d5d0c4; --soft: #5f616a; --card: #fff;
  --empty: #f1eee6; --good: #2f7d4f; --bad: #b3402e; --calm: #8a8578; --link: #1f5f99;
  --arm0: #33539e; --arm1: #b34a12; --arm2: #1f7a54; --arm3: #8a3f86; --arm4: #7a6310; --arm5: #4d5560;"""
_DARK = """color-scheme: dark; --ink: #e9e6df; --paper: #1b1c20; --line: #3d3e46; --soft: #acabb2; --card: #24252b;
  --empty: #202126; --good: #6cc08b; --bad: #ea8773; --calm: #8d8a83; --link: #8fc1f0;
  --arm0: #9db4f2; --arm1: #f0995f; --arm2: #6fcb9f; --arm3: #d99ad4; --arm4: #d8bd5a; --arm5: #b6bdc7;"""
STYLE = f"""
:root {{ {_LIGHT} }}
@media screen and (prefers-color-scheme: dark) {{ :root {{ {_DARK} }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; padding: 2.5rem 1rem 5rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif; overflow-wrap: break-word; }}
h1 {{ margin: 0; font-size: 2rem; line-height: 1.2; text-wrap: balance; }}
h2 {{ margin: 3rem 0 .5rem; font-size: 1.3rem; }} h3 {{ margin: 1.8rem 0 .4rem; font-size: 1.05rem; }}
p, li {{ max-width: 46rem; }} a {{ color: var(--link); }}
.lead {{ margin: .25rem 0 1.25rem; color: var(--soft); }}
.answer {{ margin: 1.2rem 0; padding: .8rem 1rem; background: var(--card); border-left: .3rem solid var(--arm0);
  font-size: 1.1rem; }}
.answer p {{ margin: .3rem 0; }} .answer p:first-child {{ font-weight: bold; }}
.figures {{ display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 1rem 0; padding: 0; list-style: none; }}
.figures b {{ font-size: 1.3rem; }}
.row {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 1rem 2rem; }}
figure {{ margin: 1rem 0; max-width: 32rem; break-inside: avoid; }} figure.wide {{ max-width: 60rem; }}
figure svg {{ display: block; width: 100%; height: auto; }}
figure svg.marks text {{ paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; }}
figcaption {{ font-size: .92rem; color: var(--soft); }} figcaption b {{ color: var(--ink); }}
.scroll {{ max-width: 100%; overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: .92rem; }}
caption {{ padding: .3rem 0; text-align: left; color: var(--soft); }}
th, td {{ padding: .25rem .9rem .25rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; }}
thead th {{ border-top: 0; border-bottom: 2px solid var(--line); vertical-align: bottom; }}
td.n, th.n {{ text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }}
code, pre {{ font: .82rem/1.5 ui-monospace, Menlo, Consolas, monospace; }}
pre {{ margin: .5rem 0; padding: .8rem 1rem; background: var(--card); border: 1px solid var(--line);
  white-space: pre-wrap; overflow-wrap: anywhere; }}
svg.bar {{ width: 6rem; height: .5rem; background: var(--empty); fill: var(--calm); }}
pre.rule {{ max-width: 46rem; }} .soft {{ color: var(--soft); font-size: .85rem; }}
td details, th details {{ margin: 0; font-weight: normal; }}
del, .gone {{ color: var(--bad); }} ins, .new {{ color: var(--good); text-decoration: none; font-weight: bold; }}
details {{ margin: .3rem 0 1rem; }} summary {{ color: var(--soft); font-size: .92rem; cursor: pointer; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .5rem 0; }}
dt {{ color: var(--soft); }} dd {{ margin: 0; overflow-wrap: anywhere; }}
@media (max-width: 30rem) {{ dl {{ grid-template-columns: 1fr; gap: 0; }} dd {{ margin-bottom: .4rem; }}
  h1 {{ font-size: 1.6rem; }} }}
@media print {{ body {{ padding: 0; max-width: none; font-size: 11pt; }} h2, h3 {{ break-after: avoid; }}
  tr, .answer {{ break-inside: avoid; }} details::details-content {{ content-visibility: visible; block-size: auto; }}
  .scroll {{ overflow: visible; }} }}
"""
"""The style that all pages share: colours are variables, which pictures use, too."""


def page(title: str, body: Iterable[str], heading: str = "", lead: str = "", style: str = "") -> str:
    """A whole page of the parts of its body; without a heading it is the title."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{STYLE}{style}</style></head><body><main>",
        f"<h1>{escape(heading or title)}</h1>",
        *([f'<p class="lead">{escape(lead)}</p>'] if lead else []),
        *body,
        "</main></body></html>\n",
    ]
    return rw.characters.printable("\n".join(parts), lines=True)
