import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

/** Node strips types, but compiles no JSX. Commands are defined beside components, which nothing here renders. */
registerHooks({
  load(url, context, loadNext) {
    if (!url.endsWith('.tsx')) return loadNext(url, context);
    const path = fileURLToPath(url);
    return { format: 'module', source: transformSync(path, readFileSync(path, 'utf8')).code, shortCircuit: true };
  },
});
