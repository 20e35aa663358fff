import type { ProductErrors } from '../accounts/apiProduct.ts'
import { lacksPlan, sendKey } from '../accounts/keyErrors.ts'
import { ApiError } from '../platform/http/error.ts'
import { COMMON_ERRORS } from '../platform/http/errors/catalogue.ts'

const noKey = () =>
  new ApiError('no_key', {
    message: sendKey('ordk_…'),
    headers: { 'www-authenticate': 'Bearer' },
  })

/** Errors of the Orders API and positions: the common errors, by their own names. */
export const ORDERS_ERRORS: ProductErrors = {
  ...COMMON_ERRORS,
  noKey,
  // the same error for every reason, so that it reveals nothing about a key
  unknownKey: noKey,
  noPlan: (holder, atMs) => new ApiError('plan', { message: lacksPlan('orders', holder, atMs) }),
}
