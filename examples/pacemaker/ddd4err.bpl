// expect: false
// engine: trace-abstraction, bmc
// timeout: 20s
//
// A pacemaker in mode DDD (paces and senses both chambers), one of seven variants:
// ddd4err: leaving the fallback mode paces the atrium, whatever was done in this step.
//
// Time goes in steps, one for each interrupt. After a pace in a chamber the electrodes see the
// pulse itself, so sensing is suspended ("blanked") for a step or two and must then be resumed.
//
// Property: whenever a channel is suspended it will be resumed within two steps, in both modes,
// and atrial and ventricular pace are never given in the same step.

// Parameters, in steps.
const BLANK_SHORT: int;    // blanking of the other chamber
const BLANK_LONG: int;     // blanking of the paced chamber
const AV_DELAY: int;       // from an atrial event to the ventricular pace
const LOWER_RATE: int;     // the longest time without a ventricular event
const PVARP: int;          // atrial events are ignored so long after a ventricular one
const TACHY_LIMIT: int;    // so many early atrial events switch the mode
const FALLBACK_STEPS: int; // so long the fallback mode lasts
axiom BLANK_SHORT == 1 && BLANK_LONG == 2;
axiom AV_DELAY == 1 && LOWER_RATE == 5 && PVARP == 2;
axiom TACHY_LIMIT == 3 && FALLBACK_STEPS == 4;

// State.
var fallback: bool;        // is the device in the fallback mode?
var sensing_a: bool;       // is the atrial channel listening?
var sensing_v: bool;       // is the ventricular channel listening?
var blank_a: int;          // steps until atrial sensing is resumed
var blank_v: int;          // steps until ventricular sensing is resumed
var suspended_a: int;      // steps since atrial sensing was suspended
var suspended_v: int;      // steps since ventricular sensing was suspended
var av_timer: int;         // steps since the last atrial event, or -1
var rate_timer: int;       // steps since the last ventricular event
var pvarp_timer: int;      // steps until atrial events count again
var tachy: int;            // early atrial events in a row
var fallback_timer: int;   // steps until DDD is tried again
var paced_a: bool;         // an atrial pace was given in this step
var paced_v: bool;         // a ventricular pace was given in this step
var heard_a: bool;         // an atrial event was accepted in this step
var heard_v: bool;         // a ventricular event was accepted in this step

// Sensing on and off.

procedure suspend_a(steps: int)
modifies sensing_a, blank_a, suspended_a;
{
  if (sensing_a) {
    sensing_a := false;
    suspended_a := 0;
    blank_a := steps;
  }
}

procedure suspend_v(steps: int)
modifies sensing_v, blank_v, suspended_v;
{
  if (sensing_v) {
    sensing_v := false;
    suspended_v := 0;
    blank_v := steps;
  }
}

procedure resume_a()
modifies sensing_a, blank_a, suspended_a;
{
  sensing_a := true;
  suspended_a := 0;
  blank_a := 0;
}

procedure resume_v()
modifies sensing_v, blank_v, suspended_v;
{
  sensing_v := true;
  suspended_v := 0;
  blank_v := 0;
}

// One step of blanking of the atrial channel.
procedure tick_blank_a()
modifies sensing_a, blank_a, suspended_a;
{
  if (!sensing_a) {
    if (blank_a <= 0) {
      call resume_a();
    } else {
      blank_a := blank_a - 1;
      suspended_a := suspended_a + 1;
    }
  }
}

// One step of blanking of the ventricular channel.
procedure tick_blank_v()
modifies sensing_v, blank_v, suspended_v;
{
  if (!sensing_v) {
    if (blank_v <= 0) {
      call resume_v();
    } else {
      blank_v := blank_v - 1;
      suspended_v := suspended_v + 1;
    }
  }
}

// Pacing.

procedure pace_a()
modifies sensing_a, sensing_v, blank_a, blank_v, suspended_a, suspended_v, av_timer, paced_a;
{
  paced_a := true;
  av_timer := 0;
  call suspend_a(BLANK_LONG);
  call suspend_v(BLANK_SHORT);
}

procedure pace_v()
modifies sensing_a, sensing_v, blank_a, blank_v, suspended_a, suspended_v, av_timer, rate_timer,
  pvarp_timer, paced_v;
{
  paced_v := true;
  rate_timer := 0;
  av_timer := -1;
  pvarp_timer := PVARP;
  call suspend_v(BLANK_LONG);
  call suspend_a(BLANK_SHORT);
}

// Events of the heart.

procedure atrial_event()
modifies av_timer, tachy, heard_a;
{
  heard_a := true;
  if (pvarp_timer > 0) {
    // too early: not followed by a ventricular pace
    if (tachy < TACHY_LIMIT) {
      tachy := tachy + 1;
    }
  } else {
    tachy := 0;
    if (av_timer < 0) {
      av_timer := 0;
    }
  }
}

procedure ventricular_event()
modifies av_timer, rate_timer, pvarp_timer, heard_v;
{
  heard_v := true;
  rate_timer := 0;
  av_timer := -1;
  pvarp_timer := PVARP;
}

// What the electrodes report; a channel that is suspended hears nothing.
procedure listen()
modifies av_timer, rate_timer, pvarp_timer, tachy, heard_a, heard_v;
{
  var signal_a, signal_v: bool;
  havoc signal_a, signal_v;
  if (signal_a && sensing_a) {
    call atrial_event();
  }
  if (signal_v && sensing_v) {
    call ventricular_event();
  }
}

// Timers.

procedure tick_timers()
modifies av_timer, rate_timer, pvarp_timer;
{
  if (av_timer >= 0 && av_timer <= AV_DELAY) {
    av_timer := av_timer + 1;
  }
  if (rate_timer <= LOWER_RATE) {
    rate_timer := rate_timer + 1;
  }
  if (pvarp_timer > 0) {
    pvarp_timer := pvarp_timer - 1;
  }
}

// Modes.

procedure enter_fallback()
modifies fallback, sensing_a, sensing_v, blank_a, blank_v, suspended_a, suspended_v, av_timer,
  tachy, fallback_timer;
{
  fallback := true;
  fallback_timer := FALLBACK_STEPS;
  tachy := 0;
  av_timer := -1;
  call resume_a();
  call resume_v();
}

procedure leave_fallback()
modifies fallback, sensing_a, sensing_v, blank_a, blank_v, suspended_a, suspended_v, av_timer,
  tachy, fallback_timer, paced_a;
{
  fallback := false;
  fallback_timer := 0;
  tachy := 0;
  call resume_a();
  call resume_v();
  call pace_a();
}

// Mode DDD: pace the atrium when nothing happens, the ventricle after the delay.
procedure step_ddd()
modifies fallback, sensing_a, sensing_v, blank_a, blank_v, suspended_a, suspended_v, av_timer,
  rate_timer, pvarp_timer, tachy, fallback_timer, paced_a, paced_v;
{
  if (!heard_v) {
    if (av_timer > AV_DELAY) {
      call pace_v();
    } else if (av_timer < 0 && rate_timer > LOWER_RATE) {
      call pace_a();
    }
  }
  if (tachy >= TACHY_LIMIT) {
    call enter_fallback();
  }
}

// Fallback: the atrium is not followed; the ventricle is paced at the lower rate.
procedure step_fallback()
modifies fallback, sensing_a, sensing_v, blank_a, blank_v, suspended_a, suspended_v, av_timer,
  rate_timer, pvarp_timer, tachy, fallback_timer, paced_a, paced_v;
{
  if (!heard_v && rate_timer > LOWER_RATE) {
    call pace_v();
  }
  if (fallback_timer > 0) {
    fallback_timer := fallback_timer - 1;
  } else {
    call leave_fallback();
  }
}

// What must hold.
procedure check()
{
  assert sensing_a || blank_a + suspended_a <= 2;
  assert sensing_v || blank_v + suspended_v <= 2;
  assert !(paced_a && paced_v);
}

// One interrupt.
procedure interrupt()
modifies fallback, sensing_a, sensing_v, blank_a, blank_v, suspended_a, suspended_v, av_timer,
  rate_timer, pvarp_timer, tachy, fallback_timer, paced_a, paced_v, heard_a, heard_v;
{
  paced_a := false;
  paced_v := false;
  heard_a := false;
  heard_v := false;
  call tick_blank_a();
  call tick_blank_v();
  call tick_timers();
  call listen();
  if (fallback) {
    call step_fallback();
  } else {
    call step_ddd();
  }
  call check();
}

procedure power_on()
modifies fallback, sensing_a, sensing_v, blank_a, blank_v, suspended_a, suspended_v, av_timer,
  rate_timer, pvarp_timer, tachy, fallback_timer, paced_a, paced_v, heard_a, heard_v;
{
  fallback := false;
  tachy := 0;
  fallback_timer := 0;
  av_timer := -1;
  rate_timer := 0;
  pvarp_timer := 0;
  paced_a := false;
  paced_v := false;
  heard_a := false;
  heard_v := false;
  call resume_a();
  call resume_v();
}

procedure main()
modifies fallback, sensing_a, sensing_v, blank_a, blank_v, suspended_a, suspended_v, av_timer,
  rate_timer, pvarp_timer, tachy, fallback_timer, paced_a, paced_v, heard_a, heard_v;
{
  call power_on();
  while (*) {
    call interrupt();
  }
}
