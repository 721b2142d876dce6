import { inTransaction } from '../../platform/db/transaction.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishEndedSessions } from '../../platform/live/live.ts';
import { removeCompanyFiles } from '../files/remove-files.ts';
import { allowTime, deleteCompany, deleteMails, deleteSessions, forgetTraces, holdCompany, holdMembers } from './company-removal.sql.ts';

export type Removal = 'removed' | 'not found' | 'not confirmed';

/** The company with everything it owns and the logins of its members, all at once or not at all; its files as soon as that is committed. */
export function removeCompany({ pools }: Pick<Platform, 'pools'>, companyId: string, confirmation: string): Promise<Removal> {
  return inTransaction(pools.system, async (client) => {
    await allowTime(client);
    const label = await holdCompany(client, companyId);
    if (label === null) return 'not found';
    if (confirmation !== label.trim()) return 'not confirmed';
    const members = await holdMembers(client, companyId);
    const sessions = await deleteSessions(client, members);
    const mails = await deleteMails(client, companyId, members);
    await deleteCompany(client, companyId, members);
    await forgetTraces(client, [companyId, ...members.userIds, ...members.addresses, ...mails]);
    await publishEndedSessions(client, sessions);
    await removeCompanyFiles.later(client, { company_id: companyId });
    return 'removed';
  });
}
