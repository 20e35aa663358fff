-- positions.cases: the short strikes to evaluate conditions for; case_id is their index.
-- grain: case_id
-- reads:
-- param: cases
select unnest(from_json($cases, '[{
    "case_id": "integer", "session_date": "date", "minute_et": "varchar",
    "short_put": "double", "short_call": "double", "base_spot": "double"
}]'), recursive := true)
