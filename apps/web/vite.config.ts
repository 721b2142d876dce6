import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractRoutes } from './vite/contract-routes.ts';
import { oneScrollMemory } from './vite/one-scroll-memory.ts';
import { precompress } from './vite/precompress.ts';
import { preloadFont } from './vite/preload-font.ts';
import { slimIcons } from './vite/slim-icons.ts';

const api = `http://localhost:${process.env['API_PORT'] ?? '3001'}`;

/** What every page needs, in one piece that browsers keep from release to release. */
const FRAMEWORK =
  /node_modules\/(?:(?:react|react-dom|scheduler|use-sync-external-store|zustand)\/|lucide-react\/dist\/esm\/(?!icons)|@tanstack\/(?!react-virtual|virtual-core).*\/(?!useBlocker|useInfinite|infinite|mutationObs|useMutation)[\w-]+\.js)/;

/** What the entry and the pages loaded later share of our own. */
const BASE =
  /src\/(?:lib\/(?:api|call-error|contract-call|error-messages|session-end)|ui\/(?:button|button-style|classes|link-button|spinner|toast|use-lazily))\.tsx?$|contract-routes|circle-exclamation-point/;

export default defineConfig({
  root: import.meta.dirname,
  // React has had this hook itself since 18; the shim for older ones only weighs.
  resolve: {
    alias: {
      'use-sync-external-store/shim/with-selector.js': 'use-sync-external-store/with-selector.js',
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector.js',
      'use-sync-external-store/shim': 'react',
    },
  },
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: `${import.meta.dirname}/src/app/routes`,
      generatedRouteTree: `${import.meta.dirname}/src/app/route-tree.gen.ts`,
      quoteStyle: 'single',
      semicolons: true,
      disableLogging: true,
    }),
    react(),
    tailwindcss(),
    contractRoutes(),
    oneScrollMemory(),
    slimIcons(),
    preloadFont('inter-latin-wght-normal.woff2'),
    precompress(),
  ],
  optimizeDeps: { rolldownOptions: { plugins: [oneScrollMemory()] } },
  build: {
    target: 'es2023',
    manifest: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'framework', test: FRAMEWORK },
            { name: 'base', test: BASE },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: api } } },
});
