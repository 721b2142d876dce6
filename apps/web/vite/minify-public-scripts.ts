import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifySync, type Plugin } from 'vite';

/** Minifies the scripts in the public folder. They block the first paint, and Vite only copies them. Must run before `precompress`. */
export function minifyPublicScripts(): Plugin {
  let publicDir = '';
  return {
    name: 'minify-public-scripts',
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
