// The records as the API returns them. Only types are imported: the browser gets no schemas.
import type { AuditLog } from '@event-api/contracts/console/audit';
import type { PlatformParts } from '@event-api/contracts/console/parts';
import type { Addon as AddonSchema } from '@event-api/contracts/http/addons';
import type { Bundle as BundleSchema } from '@event-api/contracts/http/bundles';
import type { Change as ChangeSchema } from '@event-api/contracts/http/changes';
import type {
  Checkin as CheckinSchema,
  CheckinSummary as CheckinSummarySchema,
} from '@event-api/contracts/http/checkins';
import type { Event as EventSchema } from '@event-api/contracts/http/events';
import type { Exhibitor as ExhibitorSchema } from '@event-api/contracts/http/exhibitors';
import type { Form as FormSchema } from '@event-api/contracts/http/forms';
import type { OrderChange as OrderChangeSchema } from '@event-api/contracts/http/order-changes';
import type { Order as OrderSchema } from '@event-api/contracts/http/orders';
import type {
  Session as SessionSchema,
  Speaker as SpeakerSchema,
  Venue as VenueSchema,
} from '@event-api/contracts/http/program';
import type { RedemptionCode as RedemptionCodeSchema } from '@event-api/contracts/http/redemption-codes';
import type { EventRefundPolicy } from '@event-api/contracts/http/refund-policies';
import type {
  EffectivePerk as EffectivePerkSchema,
  Registration as RegistrationSchema,
} from '@event-api/contracts/http/registrations';
import type {
  Availability as AvailabilitySchema,
  TicketType as TicketTypeSchema,
} from '@event-api/contracts/http/ticket-types';
import type {
  WebhookDeliveryDetail as WebhookDeliveryDetailSchema,
  WebhookDelivery as WebhookDeliverySchema,
  WebhookEndpoint as WebhookEndpointSchema,
} from '@event-api/contracts/http/webhook-endpoints';
import type { CheckinRates as CheckinRatesSchema } from '@event-api/contracts/operator/checkin-rates';
import type { CodeBatch as CodeBatchSchema } from '@event-api/contracts/operator/codes';
import type { Conflict as ConflictSchema } from '@event-api/contracts/operator/conflicts';
import type {
  DeviceActivity as DeviceActivitySchema,
  PairedDevice as PairedDeviceSchema,
} from '@event-api/contracts/operator/devices';
import type { DoorRules as DoorRulesSchema } from '@event-api/contracts/operator/door-rules';
import type { EventLimits as EventLimitsSchema } from '@event-api/contracts/operator/event-limits';
import type {
  Administrator as AdministratorSchema,
  Invitation as InvitationSchema,
  Member as MemberSchema,
} from '@event-api/contracts/operator/members';
import type { PaymentAccount as PaymentAccountSchema } from '@event-api/contracts/operator/payment-accounts';
import type { Perk as PerkSchema } from '@event-api/contracts/operator/perks';
import type {
  FoundOrder as FoundOrderSchema,
  FoundRegistration as FoundRegistrationSchema,
} from '@event-api/contracts/operator/persons';
import type {
  ListedRefund as ListedRefundSchema,
  OwedRefunds as OwedRefundsSchema,
  RefundDelay as RefundDelaySchema,
  reconcileCommerce,
} from '@event-api/contracts/operator/refunds';
import type { RegistrationDays as RegistrationDaysSchema } from '@event-api/contracts/operator/registration-days';
import type { RegistrationCounts as RegistrationCountsSchema } from '@event-api/contracts/operator/registration-list';
import type { AnswerFilter as AnswerFilterSchema } from '@event-api/contracts/operator/search';
import type { TaxRate as TaxRateSchema } from '@event-api/contracts/operator/tax-rates';
import type { BusinessUnit as BusinessUnitSchema } from '@event-api/contracts/operator/units';
import type { z } from 'zod';

export type Addon = z.output<typeof AddonSchema>;
export type Availability = z.output<typeof AvailabilitySchema>;
export type Bundle = z.output<typeof BundleSchema>;
export type Change = z.output<typeof ChangeSchema>;
export type Checkin = z.output<typeof CheckinSchema>;
export type CheckinSummary = z.output<typeof CheckinSummarySchema>;
export type CheckinRates = z.output<typeof CheckinRatesSchema>;
export type Conflict = z.output<typeof ConflictSchema>;
export type DoorCount = CheckinSummary['doors'][number];
export type PairedDevice = z.output<typeof PairedDeviceSchema>;
export type DeviceActivity = z.output<typeof DeviceActivitySchema>;
export type CodeBatch = z.output<typeof CodeBatchSchema>;
export type DoorRules = z.output<typeof DoorRulesSchema>;
export type EventLimits = z.output<typeof EventLimitsSchema>;
export type Event = z.output<typeof EventSchema>;
export type Exhibitor = z.output<typeof ExhibitorSchema>;
export type Form = z.output<typeof FormSchema>;
export type RefundPolicy = z.output<typeof EventRefundPolicy>['policy'];
export type Order = z.output<typeof OrderSchema>;
export type OrderChange = z.output<typeof OrderChangeSchema>;
export type FoundOrder = z.output<typeof FoundOrderSchema>;
export type FoundRegistration = z.output<typeof FoundRegistrationSchema>;
export type Session = z.output<typeof SessionSchema>;
export type Speaker = z.output<typeof SpeakerSchema>;
export type Venue = z.output<typeof VenueSchema>;
export type RedemptionCode = z.output<typeof RedemptionCodeSchema>;
export type EffectivePerk = z.output<typeof EffectivePerkSchema>;
export type AnswerFilter = AnswerFilterSchema;
export type RegistrationCounts = RegistrationCountsSchema;
export type RegistrationDays = z.output<typeof RegistrationDaysSchema>;
export type Registration = z.output<typeof RegistrationSchema>;
export type TicketType = z.output<typeof TicketTypeSchema>;
export type WebhookDelivery = z.output<typeof WebhookDeliverySchema>;
export type WebhookDeliveryDetail = z.output<typeof WebhookDeliveryDetailSchema>;
export type WebhookEndpoint = z.output<typeof WebhookEndpointSchema>;
export type PaymentAccount = PaymentAccountSchema;
export type Perk = z.output<typeof PerkSchema>;
export type ListedRefund = z.output<typeof ListedRefundSchema>;
export type TaxRate = z.output<typeof TaxRateSchema>;
export type RefundDelay = z.output<typeof RefundDelaySchema>;
export type OwedRefunds = z.output<typeof OwedRefundsSchema>;
export type AuditEntry = AuditLog['entries'][number];
export type Member = z.output<typeof MemberSchema>;
export type Administrator = z.output<typeof AdministratorSchema>;
export type Invitation = z.output<typeof InvitationSchema>;
export type BusinessUnit = z.output<typeof BusinessUnitSchema>;
export type PlatformPart = PlatformParts['parts'][number];
export type Reconciliation = z.output<(typeof reconcileCommerce)['schema']['response'][200]>;
