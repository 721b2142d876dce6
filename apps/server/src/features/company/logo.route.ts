import { isLogoSizeAllowed } from '@callout/domain/files/file-size';
import type { FastifyInstance } from 'fastify';
import type { ImageKind } from '../../platform/files/resize-image.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { requireTenant } from '../../platform/http/request-session.ts';
import { publishChange } from '../../platform/live/live.ts';
import { receiveImage } from '../files/receive-image.ts';
import { replaceLogoUrl } from './company.sql.ts';

const MAX_SIDE_PX = 512;

/** The logo is stored as PNG, which pages, documents and emails all support. */
const LOGO_IMAGE: ImageKind = {
  purpose: 'logo',
  isSizeAllowed: isLogoSizeAllowed,
  tooLargeMessage: 'File size must be less than 2MB',
  file_type: 'image/png',
  resize: (image) => image.resize(MAX_SIDE_PX, MAX_SIDE_PX, { fit: 'inside', withoutEnlargement: true }).png({ compressionLevel: 9 }),
};

export function registerLogoRoute(app: FastifyInstance, platform: Platform): void {
  app.put('/api/company/logo', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'company.edit');
    const avatar_url = await receiveImage(platform, tenant, request, {
      kind: LOGO_IMAGE,
      owner: { kind: 'company', id: tenant.companyId },
      attach: async (scope, url) => {
        await publishChange(scope, 'me');
        return replaceLogoUrl(scope, url);
      },
    });
    return reply.send({ avatar_url });
  });
}
