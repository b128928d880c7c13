/**
 * Which addresses of the network are this machine's own or belong to networks that are not the public internet, and a look-up
 * of names that never gives one of them.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { late } from '../base/late.ts';

/** Everything that is set aside, by the registries of special addresses: `address/bits`. */
const setAside4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Of `2000::/3`; all that lies outside of it is not public anyway. */
const setAside6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const reserved4 = late(() => blockListOf(setAside4, 'ipv4'));
const reserved6 = late(() => blockListOf(setAside6, 'ipv6'));
const global6 = late(() => blockListOf(['2000::/3'], 'ipv6'));
/** They carry an IPv4 address in their last 32 bits: mapped ones, and those that a NAT64 gateway translates. */
const carriers = late(() => blockListOf(['::ffff:0:0/96', '64:ff9b::/96'], 'ipv6'));

function blockListOf(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/**
 * Whether an address is neither loopback, link-local, private or otherwise set aside, nor one that this machine has itself.
 * @param address an IPv4 or IPv6 address in any of its spellings; anything else is not public
 */
export function isPublicAddress(address: string): boolean {
  const [bare = ''] = address.split('%');
  if (isIP(bare) === 0) return false;
  const plain = isIPv6(bare) ? canonical6(bare) : bare;
  if (!isIPv6(plain)) return !reserved4().check(plain, 'ipv4') && !isOwn(plain);
  if (carriers().check(plain, 'ipv6')) return isPublicAddress(carriedAddress(plain));
  return global6().check(plain, 'ipv6') && !reserved6().check(plain, 'ipv6') && !isOwn(plain);
}

/** As an address of a page is written: small letters, `::` for the longest run of zeros, no dots. */
function canonical6(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

/** The IPv4 address at the end of an IPv6 address. */
function carriedAddress(canonical: string): string {
  const [low = 0, high = 0] = canonical
    .split(':')
    .slice(-2)
    .map((part) => Number.parseInt(part === '' ? '0' : part, 16))
    .reverse();
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function isOwn(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return own.some((one) => (isIPv6(one.address) ? canonical6(one.address) : one.address) === address);
}

/** Gives all addresses of a name, as the system does. */
export type Resolve = (
  name: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export const systemResolve: Resolve = (name, options, done) => systemLookup(name, options, done);

/**
 * A look-up for connections. What it has checked is what is connected to: the name is not asked for again in between.
 * @param isAllowed asked about every address of the name; one that it refuses spoils the name
 * @param refusal makes the error of a name that leads elsewhere
 */
export function createCheckedLookup(
  resolve: Resolve,
  isAllowed: (address: string) => boolean,
  refusal: (name: string) => Error,
): LookupFunction {
  return (name, options, done) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) return done(error, []);
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) return done(refusal(name), []);
      if (options.all === true) return done(null, addresses);
      return done(null, first.address, first.family);
    });
  };
}
