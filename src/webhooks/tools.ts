import type { Config } from '../config.ts'
import type { AddressRules } from './address.ts'
import { type HostResolver, openResolver } from './resolver.ts'
import { openSecretBox, type SecretBox } from './secretBox.ts'

/** What a server saves webhooks with. */
export type WebhookTools = {
  /** Which addresses a webhook may have. */
  readonly rules: AddressRules
  readonly resolve: HostResolver
  /** Seals and opens secrets. Fails with a Refusal where this server has no key for them. */
  readonly box: () => SecretBox
}

type Optional = 'secretKey' | 'databaseUrl' | 'webhookAllowed' | 'publicUrl'

/** Settings that are left out are as where nothing is set. */
type Settings = Pick<Config, 'dataFolder'> & {
  readonly [Name in Optional]?: Config[Name] | undefined
}

/** The tools of a configuration. The key is first read, or made, when a secret needs it. */
export function webhookTools(
  settings: Settings,
  resolve: HostResolver = openResolver(),
): WebhookTools {
  const { dataFolder, webhookAllowed = [], publicUrl = null } = settings
  const { secretKey = null, databaseUrl = null } = settings
  const ownHosts = publicUrl === null ? [] : [new URL(publicUrl).hostname]
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
