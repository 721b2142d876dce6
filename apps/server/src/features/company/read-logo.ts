import { buffer } from 'node:stream/consumers';
import { fileKey } from '../../platform/files/file-store.ts';
import type { Platform } from '../../platform/http/platform.ts';

const LOGO = /^\/api\/images\/([0-9a-f-]{36})$/;

/** The PNG for a document. Null when there is none, or when its bytes are missing: the document is what matters. */
export async function readLogo({ files }: Pick<Platform, 'files'>, companyId: string, url: string | null): Promise<Uint8Array | null> {
  const id = LOGO.exec(url ?? '')?.[1];
  const bytes = id ? await files.open(fileKey(companyId, id)) : null;
  return bytes && new Uint8Array(await buffer(bytes));
}
