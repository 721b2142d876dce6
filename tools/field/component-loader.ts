import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

/** Compiles the components beside which commands are defined, because Node only strips types. Call before the page's modules are loaded. */
export function loadComponents(): void {
  registerHooks({
    load(url, context, loadNext) {
      if (!url.endsWith('.tsx')) return loadNext(url, context);
      const path = fileURLToPath(url);
      return { format: 'module', source: transformSync(path, readFileSync(path, 'utf8')).code, shortCircuit: true };
    },
  });
}
