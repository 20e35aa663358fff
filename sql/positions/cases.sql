-- positions.cases: the short strikes that conditions are asked for; case_id is the place.
-- grain: case_id
-- reads:
-- param: cases
select unnest(from_json($cases, '[{
    "case_id": "integer", "session_date": "date", "minute_et": "varchar",
    "short_put": "double", "short_call": "double", "base_spot": "double"
}]'), recursive := true)
