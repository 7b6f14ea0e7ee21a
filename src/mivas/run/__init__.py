"""Plans trials, carries them out, keeps their evidence and continues after an interruption.

Wires caller, harness and state service together and asks the verifier; decides nothing about any of them.
"""

from mivas.run._attribution import Attribution, attribute
from mivas.run._backend import Backend, LocalBackend
from mivas.run._certificates import (
    Certificate,
    certificate_of,
    certificates_folder,
    certificates_of,
    check_qualified,
    double_of,
    is_qualified,
    needs_certificate,
)
from mivas.run._evidence import run_result
from mivas.run._hearing import Heard, heard_of, pooled_hearing
from mivas.run._interrupt import ctrl_c_blocked, follow_driver
from mivas.run._journal import read_manifest
from mivas.run._options import RunOptions, TrialSpec, call_id_for, plan
from mivas.run._qualification import Qualification, Steps, qualify
from mivas.run._rescore import Rescored, VerdictChange, rescore, try_rescore
from mivas.run._runner import Progress, RunResult, Watch, folder_name, resume_run, start_run
from mivas.run._stored import StoredRun, file_in_run, read_evidence, read_run
from mivas.run._sweep import Axis, Dose, parse_axis, sweep
from mivas.run._trial import TrialOutcome, run_trial
from mivas.run._world import Ends, SuiteSource, World, check_fits, open_world, suite_for

local = LocalBackend
"""Entry point `mivas.backends: local`."""

__all__ = [
    "Attribution",
    "Axis",
    "Backend",
    "Certificate",
    "Dose",
    "Ends",
    "Heard",
    "LocalBackend",
    "Progress",
    "Qualification",
    "Rescored",
    "RunOptions",
    "RunResult",
    "Steps",
    "StoredRun",
    "SuiteSource",
    "TrialOutcome",
    "TrialSpec",
    "VerdictChange",
    "Watch",
    "World",
    "attribute",
    "call_id_for",
    "certificate_of",
    "certificates_folder",
    "certificates_of",
    "check_fits",
    "check_qualified",
    "ctrl_c_blocked",
    "double_of",
    "file_in_run",
    "folder_name",
    "follow_driver",
    "heard_of",
    "is_qualified",
    "local",
    "needs_certificate",
    "open_world",
    "parse_axis",
    "plan",
    "pooled_hearing",
    "qualify",
    "read_evidence",
    "read_manifest",
    "read_run",
    "rescore",
    "resume_run",
    "run_result",
    "run_trial",
    "start_run",
    "suite_for",
    "sweep",
    "try_rescore",
]
