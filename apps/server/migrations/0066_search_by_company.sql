-- Search finds rare words through one GIN index per table. Its tokens are hashes of a company, a text of the row and a trigram in that
-- text, so that a search reads only entries of its own company, whatever other companies wrote.
create function search_token(company uuid, place bigint, trigram text) returns integer
  language sql immutable parallel safe
  return hashtextextended(trigram collate "C", uuid_hash_extended(company, place))::bit(32)::integer;

create function search_tokens(company uuid, variadic texts text[]) returns integer[]
  language sql immutable parallel safe
  return array(select search_token(company, place, trigram)
    from unnest(texts) with ordinality as row_texts (row_text, place), unnest(show_trgm(row_text)) as trigram);

-- The tokens of every text that contains the word, or has a word that starts with it: the trigrams that don't depend on the letters
-- around it. A trigram with letters around the word can't be in three texts with different ones.
create function word_tokens(company uuid, place bigint, word text, at_start boolean) returns integer[]
  language sql immutable parallel safe
  return array(select search_token(company, place, trigram) from (
    select unnest(show_trgm(case when at_start then '' else 'a' end || word || 'b'))
    intersect select unnest(show_trgm(case when at_start then '' else 'c' end || word || 'd'))
    intersect select unnest(show_trgm(case when at_start then '' else 'e' end || word || 'f'))) as every_text (trigram));

-- Returns the rows of the current company that may match: for each of `words`, one of its alternatives must be in the index. `texts` are
-- the columns of the index. Runs as callout_system, because under row-level security the planner checks a row before it dares to search.
create function find_matches(records regclass, texts text[], words jsonb) returns setof uuid
  language plpgsql stable security definer rows 100
  set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
declare
  company constant uuid := public.current_company_id();
  tokens constant text := 'public.search_tokens(company_id, '
    || (select string_agg(quote_ident(name), ', ' order by place) from unnest(texts) with ordinality as t (name, place)) || ')';
begin
  -- Hashes may be equal by chance, so the company is compared too, in a way that no other index can be used for.
  return query execute format('select id from %s where coalesce(company_id = $1, false) and %s', records, (
    select string_agg('(' || (
      select string_agg(format('%s @> %L', tokens, public.word_tokens(company, (a ->> 'place')::bigint, a ->> 'word', (a ->> 'start')::boolean)), ' or ')
      from jsonb_array_elements(alternatives) as a) || ')', ' and ')
    from jsonb_array_elements(words) as alternatives)) using company;
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
