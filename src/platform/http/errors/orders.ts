import { ApiError, ERRORS } from '../error.ts'
import { lacksPlan, sendKey } from './access.ts'
import type { ProductErrors } from './catalogue.ts'
import { codedEnvelope } from './envelope.ts'

const noKey = () =>
  new ApiError('no_key', {
    message: sendKey('ordk_…'),
    headers: { 'www-authenticate': 'Bearer' },
  })

/** Errors of the Orders API and positions: the common errors, by their own names. */
export const ORDERS_ERRORS: ProductErrors = {
  rows: ERRORS,
  envelope: codedEnvelope,
  names: {},
  noKey,
  // the same error for every reason, so that it reveals nothing about a key
  unknownKey: noKey,
  noPlan: (holder, atMs) => new ApiError('plan', { message: lacksPlan('orders', holder, atMs) }),
}
