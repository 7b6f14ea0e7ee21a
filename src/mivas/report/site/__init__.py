"""Turns finished calls into pages that open from disk: figures, catalogue, every call with its sound, packs, method.

Takes values and writes a folder. Reads no run folder, judges no call and knows no pack by name.
"""

from mivas.report.site._build import Built, build_site
from mivas.report.site._data_files import safe_name, script_of
from mivas.report.site._material import HarnessCard, SiteCall, SiteMaterial, SitePack, SiteRun, WorkedExample
from mivas.report.site._peaks import peaks_of
from mivas.report.site._replication import replication_prompt
from mivas.report.site._site import Site

__all__ = [
    "Built",
    "HarnessCard",
    "Site",
    "SiteCall",
    "SiteMaterial",
    "SitePack",
    "SiteRun",
    "WorkedExample",
    "build_site",
    "peaks_of",
    "replication_prompt",
    "safe_name",
    "script_of",
]
