import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

/** Returns true if the proxy at `address` may report the client's IP address. `hop` is 0 for the proxy nearest to the server. */
export type ProxyTrust = (address: string, hop: number) => boolean;

/** Creates the check for trusted proxies. Fastify's own check trusts no proxy when configured with a number of hops. */
export function createProxyTrust(trustedProxies: Config['trustProxy']): ProxyTrust {
  if (typeof trustedProxies === 'number') return (_address, hop) => hop < trustedProxies;
  const networks = new BlockList();
  for (const network of trustedProxies) {
    const [address = '', prefix] = network.split('/');
    networks.addSubnet(address, Number(prefix), getAddressFamily(address));
  }
  return (address) => isIP(address) !== 0 && networks.check(address, getAddressFamily(address));
}

function getAddressFamily(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** Returns the client's IP address, or the connection's if a proxy forwarded an invalid one. */
export function getClientIp({ ip, socket }: FastifyRequest): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
}
