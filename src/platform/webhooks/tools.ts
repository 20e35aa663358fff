import { networkInterfaces } from 'node:os'
import type { AddressRules } from './address.ts'
import { type HostResolver, openResolver } from './resolver.ts'
import { openSecretBox, type SecretBox, type SecretKeySettings } from './secretBox.ts'

/** Dependencies for saving webhooks. */
export type WebhookTools = {
  /** Rules for webhook addresses. */
  readonly rules: AddressRules
  readonly resolve: HostResolver
  /** Seals and opens secrets. Fails with a Refusal where this server has no key for them. */
  readonly box: () => SecretBox
}

type HostSettings = {
  /** Public address of this server. */
  readonly publicUrl?: string | null | undefined
  /** Address it listens at. */
  readonly host?: string | undefined
}

/** Settings; those left out have their defaults. */
type Settings = Pick<SecretKeySettings, 'dataFolder'> &
  HostSettings & {
    readonly secretKey?: Buffer | null | undefined
    readonly databaseUrl?: string | null | undefined
    /** Exceptions to the rules for addresses, each `host:port`. */
    readonly webhookAllowed?: readonly string[] | undefined
  }

const EVERY_NETWORK = ['0.0.0.0', '::', '[::]']

/** Names and addresses of this server: its public URL, its listen address, those of its machine. */
export function listOwnHosts({ publicUrl, host }: HostSettings) {
  const named = publicUrl == null ? [] : [new URL(publicUrl).hostname]
  const listening = host === undefined || EVERY_NETWORK.includes(host) ? [] : [host.toLowerCase()]
  const own = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  return [...named, ...listening, ...own.map(({ address }) => address)]
}

/** Tools of a configuration. The key is read, or made, when a secret first needs it. */
export function webhookTools(
  settings: Settings,
  resolve: HostResolver = openResolver(),
): WebhookTools {
  const { dataFolder, webhookAllowed = [], publicUrl = null } = settings
  const { secretKey = null, databaseUrl = null } = settings
  const ownHosts = listOwnHosts({ publicUrl, ...(settings.host && { host: settings.host }) })
  let opened: SecretBox | null = null
  return {
    rules: { allowed: webhookAllowed, ownHosts },
    resolve,
    box: () => {
      opened ??= openSecretBox({ dataFolder, secretKey, databaseUrl })
      return opened
    },
  }
}
