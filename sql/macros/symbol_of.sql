-- The product of a root, by tape.roots: SPXW trades under SPX. A root that is not there is its own.
-- reads: tape.roots
create or replace macro symbol_of(root) as
    coalesce(
        (select map(list(roots.root), list(roots.symbol)) from tape.roots as roots)[root], root
    );

-- Which of the roots of its product a root is, by tape.roots: from 0, below 4.
create or replace macro root_number_of(root) as
    coalesce(
        (select map(list(roots.root), list(roots.root_number)) from tape.roots as roots)[root], 0
    );
