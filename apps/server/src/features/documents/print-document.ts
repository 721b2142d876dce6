import { buffer } from 'node:stream/consumers';
import type { Capability } from '@callout/domain/roles/roles';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { runTenantSnapshot, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { type DeclaredError, toFailure } from '../../platform/errors/failures.ts';
import { buildFileKey } from '../../platform/files/file-store.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { openLinkForRequest, type PublicRecordKind } from '../../platform/http/public-link.ts';
import { requirePathId, requireTenant } from '../../platform/http/request-session.ts';
import type { PdfDefinition } from '../../platform/pdf/pdf-renderer.ts';

/** The content of a PDF, except for the logo, which is read from storage after the database query. */
export interface PrintableDocument<Input> {
  readonly content: Omit<Input, 'logo'>;
  readonly logoUrl: string | null;
  /** Without an extension. Must be safe in a header: letters, digits, spaces, hyphens and parentheses. */
  readonly fileName: string;
}

export async function printDocument<Input>(
  platform: Pick<Platform, 'pdfRenderer' | 'files'>,
  tenant: Tenant,
  pdf: PdfDefinition<Input>,
  { content, logoUrl }: PrintableDocument<Input>,
): Promise<Uint8Array> {
  const logo = await readLogo(platform, tenant.companyId, logoUrl);
  return platform.pdfRenderer.render(pdf, tenant, { ...content, logo } as Input);
}

const LOGO_URL_PATTERN = /^\/api\/images\/([0-9a-f-]{36})$/;

/** Reads the logo's PNG. Returns null if there is no logo or its bytes are missing, so that documents can be printed without a logo. */
async function readLogo({ files }: Pick<Platform, 'files'>, companyId: string, url: string | null): Promise<Uint8Array | null> {
  const id = LOGO_URL_PATTERN.exec(url ?? '')?.[1];
  const bytes = id ? await files.open(buildFileKey(companyId, id)) : null;
  return bytes && new Uint8Array(await buffer(bytes));
}

type ReadPrintable<Input> = (scope: TenantScope, id: string, request: FastifyRequest) => Promise<PrintableDocument<Input>>;

/** Creates route handlers that send a document as a PDF download, which is never cached. */
export function createPdfHandlers<Input>(platform: Platform, pdf: PdfDefinition<Input>, capability: Capability) {
  const sendPdf = async (reply: FastifyReply, tenant: Tenant, read: (scope: TenantScope) => Promise<PrintableDocument<Input>>) => {
    const printable = await runTenantSnapshot(platform.pools.app, tenant, read);
    const bytes = await printDocument(platform, tenant, pdf, printable);
    return reply
      .type('application/pdf')
      .headers({
        'content-disposition': `attachment; filename="${printable.fileName}.pdf"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  };
  return {
    forMembers: (notFound: DeclaredError, read: ReadPrintable<Input>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const tenant = await requireTenant(request, platform, capability);
      const id = requirePathId(request, toFailure(notFound).message);
      return sendPdf(reply, tenant, (scope) => read(scope, id, request));
    },
    forLink: (link: PublicRecordKind, call: string, read: ReadPrintable<Input>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const { tenant, recordId } = await openLinkForRequest(request, platform, link, call);
      return sendPdf(reply, tenant, (scope) => read(scope, recordId, request));
    },
  };
}
