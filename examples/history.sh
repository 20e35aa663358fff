#!/bin/sh
# Saves the levels of a past session, every minute, as an Arrow stream.
# TAPEFOLD_KEY=ftpl_... sh history.sh 2026-10-15 > levels.arrows
set -eu
url=${TAPEFOLD_URL:-http://127.0.0.1:8080}
curl --silent --show-error --fail-with-body \
  --header "Authorization: Bearer $TAPEFOLD_KEY" \
  --header 'Accept: application/vnd.apache.arrow.stream' \
  "$url/api/v1/history?sym=SPX&day=$1"
