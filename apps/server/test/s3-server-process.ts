import { createRequire } from 'node:module';

// The package has no types and is not an ECMAScript module.
const require = createRequire(import.meta.url);
const S3rver = require('@20minutes/s3rver') as new (options: object) => { run(): Promise<{ readonly port: number }> };
const v4 = require('@20minutes/s3rver/lib/signature/v4.js') as {
  getStringToSign(request: { readonly uri: string }, signature: object): string;
};

// s3rver checks signatures, but in two cases not by Amazon's rules: its path of a bucket has no slash at the end, and it escapes a query like
// encodeURIComponent, which leaves out some characters.
const { getStringToSign } = v4;
v4.getStringToSign = (request, signature) => getStringToSign({ ...request, uri: request.uri.replace(/^\/[^/]+$/, '$&/') }, signature);
const escapeText = globalThis.encodeURIComponent;
globalThis.encodeURIComponent = (text) =>
  escapeText(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const [, , directory = '', bucket = '', port = '0'] = process.argv;
const server = new S3rver({ address: '127.0.0.1', port: Number(port), directory, silent: true, configureBuckets: [{ name: bucket }] });
const address = await server.run();
process.send?.(address.port);
process.once('disconnect', () => process.exit());
