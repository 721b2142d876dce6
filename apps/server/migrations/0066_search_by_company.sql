-- Search finds rare words through one GIN index per table. Its tokens are hashes of a company, a text of the row and a trigram in that
-- text, so that a search reads only entries of its own company, whatever other companies wrote.
create function search_token(company uuid, place bigint, trigram text) returns integer
  language sql immutable parallel safe
  return hashtextextended(trigram collate "C", uuid_hash_extended(company, place))::bit(32)::integer;

-- "a/c" and "1/2" have no three letters in a row. The tokens therefore include the trigrams of the text with a letter in the place of each
-- punctuation mark.
create function replace_punctuation(words text) returns text
  language sql immutable parallel safe
  return regexp_replace(words, '[^[:alnum:][:space:]]', 'q', 'g');

-- Place 1 is the first text, which holds all words of the row; place 2 is the name; place 3 is all other texts together, so that there are
-- few combinations of words and places to look up. The cost makes the planner look up each of several words in the index. By default, it
-- looks up only one, and computes all tokens of every row that has it.
create function search_tokens(company uuid, variadic texts text[]) returns integer[]
  language sql immutable parallel safe cost 1000
  return array(select search_token(company, least(place, 3), trigram)
    from unnest(texts) with ordinality as row_texts (row_text, place),
      unnest(show_trgm(row_text || ' ' || replace_punctuation(row_text))) as trigram);

-- The tokens of every text that contains the word, or has a word that starts with it: the trigrams that don't depend on the letters
-- around it. A trigram with letters around the word can't be in three texts with different ones. A word at the start of another may follow
-- a dash, which is a letter in the text without punctuation.
create function word_tokens(company uuid, place bigint, word text, at_start boolean) returns integer[]
  language sql immutable parallel safe
  return array(select search_token(company, place, trigram) from (
    select unnest(show_trgm(case when at_start then '' else 'a' end || word || 'b ' || replace_punctuation('a' || word || 'b')))
    intersect select unnest(show_trgm(case when at_start then '' else 'c' end || word || 'd ' || replace_punctuation('c' || word || 'd')))
    intersect select unnest(show_trgm(case when at_start then '' else 'e' end || word || 'f ' || replace_punctuation('e' || word || 'f')))
  ) as every_text (trigram));

-- Returns the positions of the current company's rows that may match: those that have every word of one of `alternatives` in its place.
-- `texts` are the columns of the index. Positions are valid until the calling statement ends, and reading them needs no other index. Runs as
-- callout_system, because under row-level security the planner checks a row before it dares to search.
create function find_matches(records regclass, texts text[], alternatives jsonb) returns setof tid
  language plpgsql stable security definer rows 100
  set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_indexscan = off set max_parallel_workers_per_gather = 0 as $$
declare
  company constant uuid := public.current_company_id();
  tokens constant text := 'public.search_tokens(company_id, '
    || (select string_agg(quote_ident(name), ', ' order by place) from unnest(texts) with ordinality as t (name, place)) || ')';
  has_all_tokens boolean;
  has_tokens text;
begin
  select bool_and(cardinality(word_tokens) > 0), string_agg(format('%s @> %L', tokens, word_tokens), ' or ')
    into has_all_tokens, has_tokens
    from jsonb_array_elements(alternatives) as words, lateral (select array(
      select unnest(public.word_tokens(company, (w ->> 'place')::bigint, w ->> 'word', (w ->> 'at_start')::boolean))
      from jsonb_array_elements(words) as w) as word_tokens) as found;
  if has_all_tokens then
    -- Hashes may be equal by chance, so the company is compared too, in a way that no other index can be used for.
    return query execute format('select ctid from %s where coalesce(company_id = $1, false) and (%s)', records, has_tokens) using company;
  else
    -- Some letters are in no trigram. Looking up no tokens would read the entries of all companies.
    return query execute format('select ctid from %s where company_id = $1', records) using company;
  end if;
end $$;
revoke execute on function find_matches from public;
grant execute on function find_matches to callout_app;
grant create on schema public to callout_system;
alter function find_matches owner to callout_system;
revoke create on schema public from callout_system;

-- Migration 0062 has dropped those of jobs and quotes.
drop index customers_by_text;
drop index suppliers_by_text;
drop index supplier_items_by_text;
drop index invoices_by_text;
-- A search also reads the pending list, so that list is kept short.
create index customers_by_text on customers using gin (search_tokens(company_id, search_text, name_key, company_name_key, contact_name_key))
  with (gin_pending_list_limit = 512);
create index supplier_items_by_text on supplier_items using gin (search_tokens(company_id, search_text, name_key, sku_key))
  with (gin_pending_list_limit = 512);
create index jobs_by_text on jobs using gin (search_tokens(company_id, search_text, title_key)) with (gin_pending_list_limit = 512);
create index quotes_by_text on quotes using gin (search_tokens(company_id, search_text, title_key)) with (gin_pending_list_limit = 512);
create index invoices_by_text on invoices using gin (search_tokens(company_id, search_text, customer_key)) with (gin_pending_list_limit = 512);
create index payments_by_text on payments using gin (search_tokens(company_id, search_text, customer_key)) with (gin_pending_list_limit = 512);

-- LIKE was declared leakproof where the server allowed it. Search no longer needs that, and works the same on every server.
do $$
begin
  alter function pg_catalog.textlike(text, text) not leakproof;
exception
  when insufficient_privilege then null;
end $$;
