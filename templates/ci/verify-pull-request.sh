#!/bin/sh
# Proves a pull request from git alone: every changed line came from a recorded call, or is named with its place.
# Runs in a clone that has both commits. Reads only, needs no secret, and runs nothing of what it judges.
#   BASE         the commit the pull request goes to
#   HEAD         its last commit
#   BODY         its text, which may hold trailers
#   LOG_REMOTES  where refs/world/logs/* are fetched from, the most trusted first (default: origin)
#   TRAILER      optional (default): without a World-Provenance trailer there is nothing to prove; required: that fails
#   REQUIRE      levels that must hold (default: chain,authority,trees,pr)
#   SIGNERS      path of an allowed-signers file as BASE has it; adds the level signatures
#   WORLDS       ids of the worlds whose logs count, separated by blanks (default: any)
#   FORMAT       github (default), text, json or sarif
# Exits 0 when all holds, 3 when something does not, otherwise when it could not be looked at.
set -eu
: "${BASE:?the commit the pull request goes to}" "${HEAD:?the last commit of the pull request}"
require=${REQUIRE:-chain,authority,trees,pr}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Into files, not through a pipe: a commit that is missing must not look like a message without a trailer.
printf '%s\n' "${BODY:-}" | tr -d '\r' >"$work/body"
git log --format=%B "$BASE..$HEAD" >"$work/messages"
if ! grep -qi 'World-Provenance:' "$work/messages" "$work/body"; then
  echo "No World-Provenance trailer in $BASE..$HEAD or the text."
  [ "${TRAILER:-optional}" != required ] || exit 3
  exit 0
fi

for remote in ${LOG_REMOTES:-origin}; do
  # Never forced: what an earlier remote said of a world is only continued by a later one.
  git -c fetch.fsckObjects=true fetch --quiet --no-tags --no-write-fetch-head "$remote" \
    'refs/world/logs/*:refs/world/logs/*' || echo "Not all logs could be fetched from $remote."
done

set --
if [ -n "${SIGNERS:-}" ]; then
  git show "$BASE:$SIGNERS" >"$work/signers"
  require="$require,signatures"
  set -- --allowed-signers "$work/signers"
fi
for world in ${WORLDS:-}; do
  set -- "$@" --world "$world"
done
ailang-worldd verify --pr "$BASE..$HEAD" --body-file "$work/body" --require "$require" \
  --format "${FORMAT:-github}" "$@"
