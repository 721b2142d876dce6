import type { Invitation, InvitationDelivery } from '@callout/contract/staff';
import { and, eq, gt, isNotNull, or } from 'drizzle-orm';
import type pg from 'pg';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { getPerson, getUserId } from '../../platform/db/actor.ts';
import { mintTenant } from '../../platform/db/mint-tenant.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { Tenant, TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { invitations } from './staff.table.ts';

interface MailedLink {
  readonly token_hash: string;
  readonly expires_at: string;
  /** Id of the email with the link. If the link stops working before the email is sent, the database deletes the email. */
  readonly mail_id: string | null;
  readonly request_id?: string;
  readonly resend_id?: string | null;
}

/** Saves a new emailed link. The member's earlier links, both emailed and copied, stop working. */
export async function saveMailedLink(scope: TenantScope, staffId: string, link: MailedLink): Promise<void> {
  const { mail_id } = link;
  await upsertInvitation(scope, staffId, {
    ...link,
    ...EMPTY_COPIED_LINK,
    created_at: scope.now,
    invited_by: getUserId(scope.actor),
    delivery: mail_id === null ? null : 'sending',
    delivery_problem: null,
  });
}

const EMPTY_COPIED_LINK = { copied_token_hash: null, copied_by: null, copied_at: null, copied_expires_at: null };

interface CopiedLink {
  readonly copied_token_hash: string;
  readonly copied_by: string;
  readonly copied_expires_at: string;
}

/** Saves a new copied link, which replaces the previously copied one. The emailed link keeps working. */
export async function saveCopiedLink(scope: TenantScope, staffId: string, link: CopiedLink): Promise<void> {
  await upsertInvitation(scope, staffId, { ...link, copied_at: scope.now });
}

type InvitationValues = Partial<Omit<typeof invitations.$inferInsert, 'company_id' | 'staff_id'>>;

async function upsertInvitation(scope: TenantScope, staffId: string, values: InvitationValues): Promise<void> {
  await scope.db
    .insert(invitations)
    .values({ company_id: scope.companyId, staff_id: staffId, created_at: scope.now, ...values })
    .onConflictDoUpdate({ target: [invitations.company_id, invitations.staff_id], set: values });
}

/** Returns true if the member's current link was emailed by this request. */
export async function wasResentByRequest(scope: TenantScope, staffId: string, requestId: string): Promise<boolean> {
  const rows = await scope.db
    .select({ staff_id: invitations.staff_id })
    .from(invitations)
    .where(and(inCompany(scope, invitations), eq(invitations.staff_id, staffId), eq(invitations.resend_id, requestId)));
  return rows.length > 0;
}

export async function deleteInvitation(scope: TenantScope, staffId: string): Promise<void> {
  await scope.db.delete(invitations).where(and(inCompany(scope, invitations), eq(invitations.staff_id, staffId)));
}

/** Returns false if the link isn't valid. Using a copied link keeps the emailed link, because only an emailed link proves the address. */
export async function consumeInvitation(
  scope: TenantScope,
  { token_hash, takes_over_account }: Pick<OpenInvitation, 'token_hash' | 'takes_over_account'>,
): Promise<boolean> {
  const isMailed = and(eq(invitations.token_hash, token_hash), gt(invitations.expires_at, scope.now));
  const isCopied = and(eq(invitations.copied_token_hash, token_hash), gt(invitations.copied_expires_at, scope.now));
  const returned = { staff_id: invitations.staff_id };
  if (!takes_over_account) {
    const updated = await scope.db
      .update(invitations)
      .set(EMPTY_COPIED_LINK)
      .where(and(inCompany(scope, invitations), isCopied, isNotNull(invitations.token_hash)))
      .returning(returned);
    if (updated.length > 0) return true;
  }
  const deleted = await scope.db
    .delete(invitations)
    .where(and(inCompany(scope, invitations), or(isMailed, isCopied)))
    .returning(returned);
  return deleted.length > 0;
}

/** Returns null if the email's link was replaced, used or withdrawn. */
export async function findInvitationByMail(scope: TenantScope, mailId: string) {
  const [invitation] = await scope.db
    .select({
      staff_id: invitations.staff_id,
      name: staff_members.name,
      invited_by: invitations.invited_by,
      delivery: invitations.delivery,
      delivery_problem: invitations.delivery_problem,
    })
    .from(invitations)
    .innerJoin(staff_members, and(eq(staff_members.company_id, invitations.company_id), eq(staff_members.id, invitations.staff_id)))
    .where(and(inCompany(scope, invitations), eq(invitations.mail_id, mailId)));
  return invitation ?? null;
}

export async function saveInvitationDelivery(
  scope: TenantScope,
  mailId: string,
  state: { readonly delivery: InvitationDelivery; readonly delivery_problem: string | null },
): Promise<void> {
  await scope.db
    .update(invitations)
    .set(state)
    .where(and(inCompany(scope, invitations), eq(invitations.mail_id, mailId)));
}

/** Reads what the email shows about its sender: the inviter's name, and the company's name and logo. */
export async function readInvitationSender(scope: TenantScope) {
  const isInviter = eq(staff_members.profile_id, getPerson(scope.actor).userId);
  const rows = await scope.db
    .select({ inviter: staff_members.name, company_name: companies.company_name, logo_url: companies.avatar_url })
    .from(companies)
    .leftJoin(staff_members, and(eq(staff_members.company_id, companies.company_id), isInviter))
    .where(eq(companies.company_id, scope.companyId));
  return rows[0] ?? { inviter: null, company_name: null, logo_url: null };
}

export interface OpenInvitation extends Invitation {
  readonly staff_id: string;
  readonly token_hash: string;
  /** Grants access to the company that sent the invitation, so that the link's holder can join it. */
  readonly tenant: Tenant;
}

/** Takes SQL expressions, not values. Only an emailed link proves ownership of the address, because the inviter knows a copied link. */
const buildOpenInvitationsQuery = (provesEmail: string, tokenHash: string) => `
  select i.company_id, i.staff_id, ${tokenHash} as token_hash, ${provesEmail} as takes_over_account, c.company_name, m.name, coalesce(l.email, m.email) as email, m.role,
      ${provesEmail} and coalesce(unfinished_company_of(m.email) <> i.company_id, false) as replaces_company,
      ${provesEmail} and exists (select from users u join staff_members o on o.profile_id = u.id
        where u.email = lower(m.email) and not u.email_verified and o.company_id <> i.company_id
          and o.company_id is distinct from unfinished_company_of(m.email)) as leaves_company
    from invitations i
    join staff_members m on m.company_id = i.company_id and m.id = i.staff_id
    join companies c on c.company_id = i.company_id
    left join users l on l.id = m.profile_id`;

type OpenInvitationRow = Omit<OpenInvitation, 'tenant'>;

function toOpenInvitation(row: OpenInvitationRow, now: string): OpenInvitation {
  return { ...row, tenant: mintTenant(row.company_id, { kind: 'link', recordKind: 'invitation', recordId: row.staff_id }, now) };
}

/**
 * Searches all companies, because the link's holder isn't a member of any yet. Returns null if the link is no longer valid or the company is closed. An emailed link
 * stays valid until the member's login is confirmed, because someone else may have created that login with the copied link.
 */
export async function findOpenInvitation(pool: pg.Pool, tokenHash: string, now: string): Promise<OpenInvitation | null> {
  const { rows } = await pool.query<OpenInvitationRow>(
    `${buildOpenInvitationsQuery('coalesce(i.token_hash = $2, false)', '$2::text')}
      where c.deletes_at is null and (i.token_hash = $2 and i.expires_at > $1 and (l.id is null or not l.email_verified)
        or i.copied_token_hash = $2 and i.copied_expires_at > $1 and l.id is null)`,
    [now, tokenHash],
  );
  return rows[0] ? toOpenInvitation(rows[0], now) : null;
}

/** Lists a person's open invitations from all companies, newest first. */
export async function listOpenInvitationsByEmail(pool: pg.Pool, email: string, now: string): Promise<OpenInvitation[]> {
  const { rows } = await pool.query<OpenInvitationRow>(
    `${buildOpenInvitationsQuery('true', 'case when i.expires_at > $1 then i.token_hash else i.copied_token_hash end')}
      where c.deletes_at is null and (i.expires_at > $1 or i.copied_expires_at > $1) and m.profile_id is null and lower(m.email) = lower($2)
      order by i.created_at desc, i.company_id`,
    [now, email],
  );
  return rows.map((row) => toOpenInvitation(row, now));
}
