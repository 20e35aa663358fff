#!/bin/sh
# Saves the ledger of a session as CSV, as it was known at a minute if you name one.
# TAPEFOLD_KEY=ordk_... sh orders.sh 2026-10-15 10:37 > ledger.csv
set -eu
url=${TAPEFOLD_URL:-http://127.0.0.1:8080}
curl --silent --show-error --fail-with-body \
  --header "Authorization: Bearer $TAPEFOLD_KEY" \
  --header 'Accept: text/csv' \
  "$url/orders/api/day?day=$1${2:+&asof=$2}"
