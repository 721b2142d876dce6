import { pluralize } from '@callout/domain/text/count-format';
import type pg from 'pg';

/** Enough for the operator to see what happened. */
const MAX_NAMED_FILES = 5;

/** A thumbnail or public copy counts with the file it was made of. */
const OWNER_OF_LOST = `left join public.files original on f.owner_kind = 'file' and original.company_id = f.company_id and original.id = f.owner_id
        cross join lateral (select coalesce(original.owner_kind, f.owner_kind) as kind, coalesce(original.owner_id, f.owner_id) as id) owner`;

/** Returns the keys of those files that are attached to a record. Others are removed after a day, and nobody sees them. */
export async function listAttachedKeys(client: pg.Client, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const ids = keys.map((key) => key.split('/'));
  const { rows } = await client.query<{ key: string }>(
    `select f.company_id || '/' || f.id as key
      from unnest($1::uuid[], $2::uuid[]) with ordinality as lost (company_id, id, position)
        join public.files f on f.company_id = lost.company_id and f.id = lost.id
        ${OWNER_OF_LOST}
      where owner.kind is not null and owner.kind <> 'file' order by lost.position`,
    [ids.map(([companyId]) => companyId), ids.map(([, id]) => id)],
  );
  return rows.map(({ key }) => key);
}

/**
 * Describes files by the records that people see, such as '2 files are missing or damaged: "leak.jpg" of job 1042 (Acme Plumbing) and …'.
 * The connection must have the role that can read every company's rows.
 */
export async function describeLostFiles(client: pg.Client, keys: readonly string[], problem = 'missing or damaged'): Promise<string> {
  const named = keys.slice(0, MAX_NAMED_FILES).map((key) => key.split('/'));
  const { rows } = await client.query<{ name: string }>(
    `select concat('"', f.file_name, '"', case f.purpose when 'thumbnail' then ', a preview' when 'public_copy' then ', a public copy' end,
        ' of ' || coalesce('quote ' || q.quote_number, 'job ' || j.job_number), ' (', c.company_name, ')') as name
      from unnest($1::uuid[], $2::uuid[]) with ordinality as lost (company_id, id, position)
        join public.files f on f.company_id = lost.company_id and f.id = lost.id
        join public.companies c on c.company_id = f.company_id
        ${OWNER_OF_LOST}
        left join public.quotes q on owner.kind in ('quote', 'quote_acceptance') and q.company_id = f.company_id and q.id = owner.id
        left join public.job_comments k on owner.kind = 'job_comment' and k.company_id = f.company_id and k.id = owner.id
        left join public.jobs j on j.company_id = k.company_id and j.id = k.job_id
      order by lost.position`,
    [named.map(([companyId]) => companyId), named.map(([, id]) => id)],
  );
  const rest = keys.length - rows.length;
  const names = rows.map(({ name }) => name).join(', ');
  const verb = keys.length === 1 ? 'is' : 'are';
  return `${pluralize(keys.length, 'file')} ${verb} ${problem}: ${names}${rest > 0 ? ` and ${rest} more` : ''}`;
}
