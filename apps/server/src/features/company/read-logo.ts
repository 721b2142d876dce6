import { buffer } from 'node:stream/consumers';
import { buildFileKey } from '../../platform/files/file-store.ts';
import type { Platform } from '../../platform/http/platform.ts';

const LOGO_URL_PATTERN = /^\/api\/images\/([0-9a-f-]{36})$/;

/** Reads the logo's PNG. Returns null if there is no logo or its bytes are missing, so that documents can be built without a logo. */
export async function readLogo({ files }: Pick<Platform, 'files'>, companyId: string, url: string | null): Promise<Uint8Array | null> {
  const id = LOGO_URL_PATTERN.exec(url ?? '')?.[1];
  const bytes = id ? await files.open(buildFileKey(companyId, id)) : null;
  return bytes && new Uint8Array(await buffer(bytes));
}
