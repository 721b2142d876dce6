import { and, asc, count, eq } from 'drizzle-orm';
import { staff_colors, staff_members } from '../../platform/auth/auth.table.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';

/** What the next member is told apart by: the colour that the fewest of the company have. */
export async function leastUsedColor(scope: TenantScope): Promise<string | null> {
  const rows = await scope.db
    .select({ id: staff_colors.id })
    .from(staff_colors)
    .leftJoin(staff_members, and(eq(staff_members.company_id, scope.companyId), eq(staff_members.color_id, staff_colors.id)))
    .groupBy(staff_colors.id)
    .orderBy(asc(count(staff_members.id)), asc(staff_colors.name))
    .limit(1);
  return rows[0]?.id ?? null;
}
