import { isLogoSizeAllowed } from '@callout/domain/files/file-size';
import type { FastifyInstance } from 'fastify';
import type { ImageKind } from '../../platform/files/small-image.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { requireTenant } from '../../platform/http/request-actor.ts';
import { publishChange } from '../../platform/live/live.ts';
import { receiveImage } from '../files/receive-image.ts';
import { replaceLogo } from './company.sql.ts';

const SIDE = 512;

/** Shown in the page, on documents and in mails: a format that all of them read. */
const LOGO: ImageKind = {
  purpose: 'logo',
  isSizeAllowed: isLogoSizeAllowed,
  tooLarge: 'File size must be less than 2MB',
  file_type: 'image/png',
  fit: (image) => image.resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true }).png({ compressionLevel: 9 }),
};

export function logoRoute(app: FastifyInstance, platform: Platform): void {
  app.put('/api/company/logo', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'company.edit');
    const avatar_url = await receiveImage(platform, tenant, request, {
      kind: LOGO,
      owner: { kind: 'company', id: tenant.companyId },
      attach: async (scope, url) => {
        await publishChange(scope, 'me');
        return replaceLogo(scope, url);
      },
    });
    return reply.send({ avatar_url });
  });
}
