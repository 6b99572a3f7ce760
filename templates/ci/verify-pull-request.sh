#!/bin/sh
# Proves a pull request in a clone: fetches the logs, then lets ailang-worldd verify judge every changed line.
# Reads only. Needs no secret; runs nothing that the pull request brought along. Exit 0 proven, 3 not, 1 nothing to judge.
#
#   BASE, HEAD      commits of the pull request (required)
#   BODY            its text, which may hold trailers
#   LOG_REMOTES     where logs are, separated by blanks (default: origin); a fork's pull request has its log in the fork
#   WORLDS          ids of the worlds that count, separated by blanks (default: any)
#   LEVELS          levels that must hold (default: chain,authority,trees,pr)
#   FORMAT          github, text, json or sarif (default: github)
#   AILANG_WORLDD   the program (default: ailang-worldd)
set -eu
: "${BASE:?the commit the changes are counted from}" "${HEAD:?the newest commit of the pull request}"

for remote in ${LOG_REMOTES:-origin}; do
  # Without a plus sign: a log only moves forward, and one that was rewritten is refused here.
  git fetch --quiet --no-tags -- "$remote" 'refs/world/logs/*:refs/world/logs/*' ||
    echo "no logs from $remote, or one that does not continue the one at hand" >&2
done

set -- --pr "$BASE..$HEAD" --format "${FORMAT:-github}" --require "${LEVELS:-chain,authority,trees,pr}"
for world in ${WORLDS:-}; do
  set -- "$@" --world "$world"
done
printf '%s\n' "${BODY:-}" | ${AILANG_WORLDD:-ailang-worldd} verify "$@" --body-file -
