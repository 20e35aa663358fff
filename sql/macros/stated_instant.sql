-- The UTC instant of a vendor's cell that needs no context: digits, or ISO text with a time zone.
create or replace macro stated_instant(text, power) as
    coalesce(epoch_instant(text, power), iso_instant(text));

-- The fault of a cell that gave no instant, by the name of its column; null when it gave one.
create or replace macro instant_fault(name, text, instant, power, example) as
    case
        when instant is not null then null
        when text is null then format('{} is missing; give one such as {}', name, example)
        when has_exponent(text) then format(
            '{} is {}, whose digits are lost (a spreadsheet shortens them); give one such as {}',
            name, left(text, 40), example
        )
        when epoch_power(text) <> power then format(
            '{} is {}, which counts another unit than the other rows do', name, left(text, 40)
        )
        else format(
            '{} is {}, which is not a time; give one such as {}', name, left(text, 40), example
        )
    end;
