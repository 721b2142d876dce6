import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { buildChunkGroups } from './vite/chunk-groups.ts';
import { minifyPublicScripts } from './vite/minify-public-scripts.ts';
import { emitPageChunks } from './vite/page-chunks.ts';
import { precompress } from './vite/precompress.ts';
import { precomputeContractRoutes } from './vite/precompute-contract-routes.ts';
import { prioritizeStyles } from './vite/prioritize-styles.ts';
import { buildServiceWorker } from './vite/service-worker.ts';

const apiUrl = `http://localhost:${process.env['API_PORT'] ?? '3001'}`;

const resolvePage = (name: string) => `${import.meta.dirname}/${name}`;
const APP_PAGE = resolvePage('index.html');
/** Separate entries, so that a customer's phone loads neither the router nor the shell. */
const PUBLIC_PAGES = [resolvePage('quote.html'), resolvePage('invoice.html')];

export default defineConfig({
  root: import.meta.dirname,
  // Use React's own hook instead of the shim for versions before 18, which only makes the bundle larger.
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
      routesDirectory: resolvePage('src/app/routes'),
      generatedRouteTree: resolvePage('src/app/route-tree.gen.ts'),
      quoteStyle: 'single',
      semicolons: true,
      disableLogging: true,
    }),
    react(),
    tailwindcss(),
    precomputeContractRoutes(),
    emitPageChunks(),
    prioritizeStyles(),
    buildServiceWorker(),
    minifyPublicScripts(),
    precompress(),
  ],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [APP_PAGE, ...PUBLIC_PAGES],
      output: { codeSplitting: { groups: buildChunkGroups(APP_PAGE, PUBLIC_PAGES) } },
    },
  },
  server: {
    proxy: {
      '/api': { target: apiUrl },
      '/quote/': { target: apiUrl, bypass: () => '/quote.html' },
      '/invoice/': { target: apiUrl, bypass: () => '/invoice.html' },
    },
  },
});
