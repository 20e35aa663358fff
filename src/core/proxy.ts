/** The proxies that the environment names, read as curl reads them. */

import { Agent as HttpAgent, setGlobalProxyFromEnv } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Refusal } from './disk/refusal.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A proxy of the environment. */
export type WebProxy = {
  /** Its address, with its password. */
  readonly url: URL
  /** The variable that names it, such as HTTPS_PROXY. */
  readonly variable: string
}

/** Hosts that are reached without a proxy, whatever the environment names. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '::1']

/**
 * Returns the proxy for an address; null where none is used. Fails with a Refusal where the
 * environment names something else than an HTTP proxy.
 */
export function findProxy(url: URL, environment: Environment): WebProxy | null {
  return isExempt(url, environment) ? null : readProxy(url.protocol, environment)
}

/** Proxies of this process as Node's agents take them; none until `useProxies` reads them. */
let proxyEnv: Readonly<Record<string, string>> = {}

/** Makes Node's `fetch`, and its requests without an agent, use the proxies of the environment. */
export function useProxies(environment: Environment): void {
  const findAddress = (protocol: string) => {
    try {
      return readProxy(protocol, environment)?.url.href ?? ''
    } catch {
      // most commands need no network
      return ''
    }
  }
  const [http_proxy, https_proxy] = [findAddress('http:'), findAddress('https:')]
  if (http_proxy + https_proxy === '') return
  proxyEnv = { http_proxy, https_proxy, no_proxy: listExempt(environment).join(',') }
  setGlobalProxyFromEnv(proxyEnv)
}

/** Opens the agents of a client that has its own, with the proxies of `useProxies`. */
export const openAgents = () => ({
  httpAgent: new HttpAgent({ keepAlive: true, proxyEnv }),
  httpsAgent: new HttpsAgent({ keepAlive: true, proxyEnv }),
})

function readProxy(protocol: string, environment: Environment): WebProxy | null {
  const name = `${protocol.replace(':', '')}_proxy`
  const names = [name, name.toUpperCase(), 'all_proxy', 'ALL_PROXY']
  // an empty variable switches those after it off
  const variable = names.find(each => environment[each] !== undefined)
  const value = variable === undefined ? '' : environment[variable]!
  if (variable === undefined || value === '') return null
  const url = URL.parse(value.includes('://') ? value : `http://${value}`)
  if (url && /^https?:$/.test(url.protocol)) return { url, variable }
  throw new Refusal(
    `${variable} names no HTTP proxy; give an address such as http://proxy.example:3128.`,
  )
}

const listExempt = ({ no_proxy, NO_PROXY }: Environment): string[] => [
  ...THIS_MACHINE,
  ...(no_proxy ?? NO_PROXY ?? '').split(/[\s,]+/).filter(entry => entry !== ''),
]

/** True where a list such as "example.com,.example.org:443" has a host, or a domain above it. */
function isExempt({ protocol, hostname, port }: URL, environment: Environment): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  return listExempt(environment).some(entry => {
    const [, name = entry, entryPort = ownPort] = /^([^:]+):(\d+)$/.exec(entry) ?? []
    const domain = name.toLowerCase().replace(/^\*?\./, '')
    return (
      entryPort === ownPort && (domain === '*' || host === domain || host.endsWith(`.${domain}`))
    )
  })
}
