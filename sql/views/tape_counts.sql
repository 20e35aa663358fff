-- views.tape_counts: prints of the tape by what became of them.
-- grain: fate
-- reads: fold.print_fates
select fate, count(*) as print_count
from fold.print_fates
group by fate
order by fate
