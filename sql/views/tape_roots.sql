-- views.tape_roots: roots on the tape of the session with their prints.
-- grain: root
-- reads: tape.prints
select root, count(*) as print_count
from tape.prints
group by root
order by print_count desc, root
