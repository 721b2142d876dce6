declare module 'virtual:contract-routes' {
  export const routes: Record<string, Record<string, [method: string, path: string]>>;
}
