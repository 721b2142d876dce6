import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups } from './vite/chunk-groups.ts';
import { minifyPublic } from './vite/minify-public.ts';
import { pageChunks } from './vite/page-chunks.ts';
import { precompress } from './vite/precompress.ts';
import { precomputeContractRoutes } from './vite/precompute-contract-routes.ts';
import { serviceWorker } from './vite/service-worker.ts';
import { styleFirst } from './vite/style-first.ts';

const api = `http://localhost:${process.env['API_PORT'] ?? '3001'}`;

const page = (name: string) => `${import.meta.dirname}/${name}`;
const APP_PAGE = page('index.html');
/** Entries of their own: a customer's phone loads neither the router nor the shell. */
const PUBLIC_PAGES = [page('quote.html'), page('invoice.html')];

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
      routesDirectory: page('src/app/routes'),
      generatedRouteTree: page('src/app/route-tree.gen.ts'),
      quoteStyle: 'single',
      semicolons: true,
      disableLogging: true,
    }),
    react(),
    tailwindcss(),
    precomputeContractRoutes(),
    pageChunks(),
    styleFirst(),
    serviceWorker(),
    minifyPublic(),
    precompress(),
  ],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [APP_PAGE, ...PUBLIC_PAGES],
      output: { codeSplitting: { groups: chunkGroups(APP_PAGE, PUBLIC_PAGES) } },
    },
  },
  server: {
    proxy: {
      '/api': { target: api },
      '/quote/': { target: api, bypass: () => '/quote.html' },
      '/invoice/': { target: api, bypass: () => '/invoice.html' },
    },
  },
});
