import { ADMIN_PAGE_SIZE, type RegisteredCompany } from '@callout/contract/admin';
import { MAX_COUNT } from '@callout/domain/text/count-format';
import type pg from 'pg';
import { buildPage, decodeCursor, isInstantKey } from '../../platform/db/cursor.ts';
import { escapeLike } from '../../platform/db/ranked-search.ts';

/** The characters that JavaScript's `trim` removes. PostgreSQL's removes only spaces. */
const SPACES = String.raw`E' \t\n\x0b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'`;

/** SQL for the label of company `c`, which is typed to confirm its deletion: the name if set, otherwise the email address or id. */
export const COMPANY_LABEL = `coalesce(nullif(trim(${SPACES} from c.company_name), ''), nullif(c.email, ''), c.company_id::text)`;

interface CompanyRow extends Omit<RegisteredCompany, 'created_at' | 'last_active' | 'status'> {
  readonly created_at: Date;
  readonly last_active: Date;
  readonly onboarding_completed: boolean;
  readonly is_closed: boolean;
  readonly sort_keys: string;
}

/** SQL condition: a company that hasn't finished onboarding is listed only while it has a member who can sign in. */
const IS_LISTED = `(c.onboarding_completed or exists (
    select from staff_members m where m.company_id = c.company_id and m.profile_id is not null))`;

/** Counted in subqueries, which run only for the companies on the current page, and stop after `MAX_COUNT` rows. */
const COMPANY_COUNTS = `
  (select count(*)::int from staff_members t where t.company_id = c.company_id and t.deleted_at is null) as staff,
  (select count(*)::int from (select from jobs t where t.company_id = c.company_id limit ${MAX_COUNT + 1}) as counted) as jobs,
  (select count(*)::int from (
    select from customers t where t.company_id = c.company_id and t.deleted_at is null limit ${MAX_COUNT + 1}) as counted) as customers`;

const CURSOR_ORDER = 'companies';

const MAX_SEARCH_WORDS = 8;
/** Shorter search words (single letters) are ignored, because they match almost everything. */
const MIN_WORD_LENGTH = 2;

/** Builds one LIKE pattern per search word; a row must match all of them. */
export function buildSearchPatterns(search: string): string[] {
  const words = search.toLowerCase().split(/\s+/u);
  const usedWords = words.filter((word) => word.length >= MIN_WORD_LENGTH).slice(0, MAX_SEARCH_WORDS);
  return usedWords.map((word) => `%${escapeLike(word)}%`);
}

interface CompanyFilter {
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
}

export async function listRegisteredCompanies(pool: pg.Pool, { cursor, search = '' }: CompanyFilter) {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, CURSOR_ORDER, [isInstantKey]);
  const { rows } = await pool.query<CompanyRow>(
    `select c.company_id as id, ${COMPANY_LABEL} as label, c.email, c.created_at, c.last_active, c.onboarding_completed, c.deletes_at is not null as is_closed,
        json_build_array(c.created_at::text)::text as sort_keys, ${COMPANY_COUNTS}
      from companies c
      where ${IS_LISTED} and lower(concat_ws(' ', ${COMPANY_LABEL}, c.email)) like all ($2::text[])
        ${after ? 'and (c.created_at, c.company_id) < ($3::timestamptz, $4::uuid)' : ''}
      order by c.created_at desc, c.company_id desc
      limit $1`,
    [ADMIN_PAGE_SIZE + 1, buildSearchPatterns(search), ...(after ? [...after.keys, after.id] : [])],
  );
  return buildPage(rows.map(toRegisteredCompany), ADMIN_PAGE_SIZE, CURSOR_ORDER);
}

function toRegisteredCompany(company: CompanyRow): RegisteredCompany & { sort_keys: string } {
  const { onboarding_completed, is_closed, created_at, last_active, ...row } = company;
  return {
    ...row,
    created_at: created_at.toISOString(),
    last_active: last_active.toISOString(),
    status: is_closed ? 'Closed' : onboarding_completed ? 'Active' : 'Onboarding',
  };
}
