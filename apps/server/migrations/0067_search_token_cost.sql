-- A search for several words must look up each of them in the index. At the default cost, the planner looks up only one, and computes all
-- tokens of every row that has it.
alter function search_tokens cost 1000;
