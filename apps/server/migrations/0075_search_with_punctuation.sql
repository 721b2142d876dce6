-- "a/c" and "1/2" have no three letters in a row, so a search for them read all rows. The tokens now include the trigrams of the text with
-- a letter in the place of each punctuation mark.
create function replace_punctuation(words text) returns text
  language sql immutable parallel safe
  return regexp_replace(words, '[^[:alnum:][:space:]]', 'q', 'g');

-- Place 1 is the first text, which holds all words of the row; place 2 is the name; place 3 is all other texts together, so that there are
-- few combinations of words and places to look up.
create or replace function search_tokens(company uuid, variadic texts text[]) returns integer[]
  language sql immutable parallel safe cost 1000
  return array(select search_token(company, least(place, 3), trigram)
    from unnest(texts) with ordinality as row_texts (row_text, place),
      unnest(show_trgm(row_text || ' ' || replace_punctuation(row_text))) as trigram);

-- A word at the start of another may follow a dash, which is a letter in the text without punctuation.
create or replace function word_tokens(company uuid, place bigint, word text, at_start boolean) returns integer[]
  language sql immutable parallel safe
  return array(select search_token(company, place, trigram) from (
    select unnest(show_trgm(case when at_start then '' else 'a' end || word || 'b ' || replace_punctuation('a' || word || 'b')))
    intersect select unnest(show_trgm(case when at_start then '' else 'c' end || word || 'd ' || replace_punctuation('c' || word || 'd')))
    intersect select unnest(show_trgm(case when at_start then '' else 'e' end || word || 'f ' || replace_punctuation('e' || word || 'f')))
  ) as every_text (trigram));

-- Returns the positions of the current company's rows that may match: those that have every word of one of `alternatives` in its place.
-- `texts` are the columns of the index. Positions are valid until the calling statement ends, and reading them needs no other index. Runs as
-- callout_system, because under row-level security the planner checks a row before it dares to search.
drop function find_matches(regclass, text[], jsonb);
create function find_matches(records regclass, texts text[], alternatives jsonb) returns setof tid
  language plpgsql stable security definer rows 100
  set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_indexscan = off set max_parallel_workers_per_gather = 0 as $$
declare
  company constant uuid := public.current_company_id();
  tokens constant text := 'public.search_tokens(company_id, '
    || (select string_agg(quote_ident(name), ', ' order by place) from unnest(texts) with ordinality as t (name, place)) || ')';
begin
  -- Hashes may be equal by chance, so the company is compared too, in a way that no other index can be used for.
  return query execute format('select ctid from %s where coalesce(company_id = $1, false) and (%s)', records, (
    select string_agg(format('%s @> %L', tokens, array(
      select unnest(public.word_tokens(company, (w ->> 'place')::bigint, w ->> 'word', (w ->> 'at_start')::boolean))
      from jsonb_array_elements(words) as w)), ' or ')
    from jsonb_array_elements(alternatives) as words)) using company;
end $$;
revoke execute on function find_matches from public;
grant execute on function find_matches to callout_app;
grant create on schema public to callout_system;
alter function find_matches owner to callout_system;
revoke create on schema public from callout_system;

reindex index customers_by_text;
reindex index supplier_items_by_text;
reindex index jobs_by_text;
reindex index quotes_by_text;
reindex index invoices_by_text;
reindex index payments_by_text;
