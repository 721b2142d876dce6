import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifySync, type Plugin } from 'vite';

/** Minifies the scripts of the public folder, which a build only copies: every page waits for them before its first paint. Before precompress. */
export function minifyPublic(): Plugin {
  let publicDir = '';
  return {
    name: 'minify-public',
    apply: 'build',
    configResolved(config) {
      publicDir = config.publicDir;
    },
    writeBundle({ dir }) {
      if (dir === undefined) return;
      for (const name of readdirSync(publicDir).filter((file) => file.endsWith('.js'))) {
        const { code, errors } = minifySync(name, readFileSync(join(publicDir, name), 'utf8'));
        if (errors[0]) this.error(`${name}: ${errors[0].message}`);
        writeFileSync(join(dir, name), code);
      }
    },
  };
}
