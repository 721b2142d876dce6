import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

/** Whether to trust the forwarded IP reported by a proxy at this IP address, this many hops away. */
export type ProxyTrust = (address: string, hop: number) => boolean;

/** Implemented here because fastify trusts no proxy when given a number. */
export function createProxyTrust(trusted: Config['trustProxy']): ProxyTrust {
  if (typeof trusted === 'number') return (_address, hop) => hop < trusted;
  const networks = new BlockList();
  for (const network of trusted) {
    const [address = '', prefix] = network.split('/');
    networks.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && networks.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** The IP address of the client. If a proxy forwards something invalid, the proxy's own IP address is used. */
export function clientIp({ ip, socket }: FastifyRequest): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
}
