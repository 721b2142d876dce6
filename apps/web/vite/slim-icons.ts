import type { Plugin } from 'vite';

const ICON = /lucide-react\/dist\/esm\/icons\//;

/** Icons carry random React keys for development; in a build their order is enough, and the bytes are saved. */
export function slimIcons(): Plugin {
  return {
    name: 'slim-icons',
    apply: 'build',
    transform: {
      filter: { id: ICON },
      handler: (code) => ({ code: code.replaceAll(/,\s*key:\s*"[^"]*"/g, ''), map: null }),
    },
  };
}
