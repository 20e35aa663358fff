-- tape.conditions: OPRA message types, each with the class of market that its prints come from.
-- grain: letter
-- reads: the files of data/reference
-- param: file
with

-- all varchar first: a sniffer reads a column of 't' and 'f' as booleans
letters as (
    select
        letter,
        mnemonic,
        family,
        is_cancel::boolean as is_cancel,
        is_late::boolean as is_late,
        is_multi_leg::boolean as is_multi_leg,
        is_against_single::boolean as is_against_single,
        is_floor::boolean as is_floor,
        is_auction::boolean as is_auction,
        is_cross::boolean as is_cross,
        ledger,
        is_side_allowed::boolean as is_side_allowed
    from read_csv($file, all_varchar = true, header = true, hive_partitioning = false)
)

select
    *,
    letter_class(letter, is_floor, is_cross, is_auction, is_late, family) as print_class
from letters
