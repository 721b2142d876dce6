import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { replaceLogoUrl } from '../features/company/company.sql.ts';
import { runTenantTransaction, type Tenant } from '../platform/db/tenant-scope.ts';
import { buildFileKey } from '../platform/files/file-store.ts';
import { insertFile } from '../platform/files/files.sql.ts';
import type { Platform } from '../platform/http/platform.ts';

/** The demo company's logo: a water drop and a flame. */
const LOGO_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="160" viewBox="0 0 320 160">
  <path d="M88 8c30 44 52 68 52 96a52 48 0 0 1-104 0c0-28 22-52 52-96z" fill="#0f766e"/>
  <path d="M62 104a26 24 0 0 0 26 26" stroke="#ccfbf1" stroke-width="9" stroke-linecap="round" fill="none"/>
  <path d="M232 8c6 38 50 48 50 96a50 48 0 0 1-100 0c0-24 14-36 24-56 4 12 8 18 14 20 4-20-2-40 12-60z" fill="#f59e0b"/>
  <path d="M232 84c4 20 22 22 22 42a22 20 0 0 1-44 0c0-18 16-22 22-42z" fill="#fef3c7"/></svg>`;

export async function addDemoLogo({ files, pools }: Pick<Platform, 'files' | 'pools'>, tenant: Tenant): Promise<void> {
  const png = await sharp(Buffer.from(LOGO_SVG)).png({ compressionLevel: 9 }).toBuffer();
  const received = await files.receive(Readable.from([png]));
  const id = randomUUID();
  const file = { id, file_name: 'logo', file_size: received.size, file_type: 'image/png', purpose: 'logo' } as const;
  try {
    await runTenantTransaction(pools.app, tenant, async (scope) => {
      await replaceLogoUrl(scope, `/api/images/${id}`);
      await insertFile(scope, { ...file, owner: { kind: 'company', id: tenant.companyId } });
      await received.saveAs(buildFileKey(tenant.companyId, id));
    });
  } finally {
    await received.discard();
  }
}
