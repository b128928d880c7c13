/**
 * The curl options that can be converted to a request, and those that have a value. Source:
 * https://curl.se/docs/manpage.html
 */

const shortNames: Readonly<Record<string, string>> = {
  A: 'user-agent',
  b: 'cookie',
  c: 'cookie-jar',
  C: 'continue-at',
  d: 'data',
  e: 'referer',
  E: 'cert',
  f: 'fail',
  F: 'form',
  g: 'globoff',
  G: 'get',
  H: 'header',
  i: 'include',
  I: 'head',
  j: 'junk-session-cookies',
  k: 'insecure',
  K: 'config',
  L: 'location',
  m: 'max-time',
  n: 'netrc',
  N: 'no-buffer',
  o: 'output',
  O: 'remote-name',
  r: 'range',
  s: 'silent',
  S: 'show-error',
  T: 'upload-file',
  u: 'user',
  U: 'proxy-user',
  v: 'verbose',
  w: 'write-out',
  x: 'proxy',
  X: 'request',
  y: 'speed-time',
  Y: 'speed-limit',
  z: 'time-cond',
  Z: 'parallel',
  '#': 'progress-bar',
  '0': 'http1.0',
  '4': 'ipv4',
  '6': 'ipv6',
};

/** Options with a value. */
const valued: ReadonlySet<string> = new Set(
  (
    'user-agent,cookie,cookie-jar,continue-at,data,data-ascii,data-raw,data-binary,data-urlencode,json,referer,cert,form,' +
    'form-string,header,config,max-time,output,range,upload-file,user,proxy-user,write-out,proxy,request,speed-time,' +
    'speed-limit,time-cond,url,url-query,oauth2-bearer,aws-sigv4,cacert,capath,cert-type,key,key-type,pass,ciphers,' +
    'connect-timeout,connect-to,resolve,retry,retry-delay,retry-max-time,max-redirs,max-filesize,limit-rate,interface,' +
    'dns-servers,doh-url,noproxy,proxy-header,socks5,socks5-hostname,socks4,unix-socket,tls-max,output-dir,stderr,trace,' +
    'trace-ascii,netrc-file,request-target,proto,proto-default,proto-redir,expect100-timeout,keepalive-time,variable'
  ).split(','),
);

/** An option with its long name. */
export interface CurlOption {
  readonly name: string;
  /** Empty for an option without a value. */
  readonly value: string;
}

export interface CurlWords {
  readonly options: readonly CurlOption[];
  readonly addresses: readonly string[];
}

/**
 * Reads the options and URLs of a command line, without the program name. Short options may be combined, also with
 * their value.
 */
export function readCurlWords(words: readonly string[]): CurlWords {
  const options: CurlOption[] = [];
  const addresses: string[] = [];
  const queue = [...words];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === '--') addresses.push(...queue.splice(0));
    else if (word.startsWith('--')) options.push(longOption(word.slice(2), queue));
    else if (word.startsWith('-') && word.length > 1) options.push(...shortOptions(word.slice(1), queue));
    else addresses.push(word);
  }
  return { options, addresses };
}

function longOption(word: string, queue: string[]): CurlOption {
  if (valued.has(word)) return { name: word, value: queue.shift() ?? '' };
  const sign = word.indexOf('=');
  const name = word.slice(0, sign);
  return sign > 0 && valued.has(name) ? { name, value: word.slice(sign + 1) } : { name: word, value: '' };
}

function shortOptions(signs: string, queue: string[]): readonly CurlOption[] {
  const options: CurlOption[] = [];
  for (let at = 0; at < signs.length; at++) {
    const sign = signs[at] ?? '';
    const name = Object.hasOwn(shortNames, sign) ? (shortNames[sign] ?? sign) : sign;
    if (!valued.has(name)) {
      options.push({ name, value: '' });
      continue;
    }
    const own = signs.slice(at + 1);
    options.push({ name, value: own === '' ? (queue.shift() ?? '') : own });
    break;
  }
  return options;
}

/** Options with no effect on a node: how the response is shown, and details of curl's protocol use. */
export const quietOptions: ReadonlySet<string> = new Set(
  (
    'silent,show-error,verbose,include,compressed,globoff,progress-bar,no-progress-meter,no-buffer,location,http1.0,http1.1,' +
    'http2,http2-prior-knowledge,http3,http0.9,tlsv1,tlsv1.0,tlsv1.1,tlsv1.2,tlsv1.3,ipv4,ipv6,styled-output,' +
    'no-styled-output,tcp-nodelay,no-keepalive,path-as-is,basic,disable'
  ).split(','),
);

/** Returns the values of options with these names. */
export function valuesOf(options: readonly CurlOption[], ...names: readonly string[]): readonly string[] {
  return options.filter(({ name }) => names.includes(name)).map(({ value }) => value);
}
