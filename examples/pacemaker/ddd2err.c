// expect: false
// engine: predicate-abstraction, whale
// timeout: 20s
//
// A pacemaker in mode DDD (paces and senses both chambers), one of seven variants:
// ddd2err: the atrial channel is believed although it is suspended.
//
// Time goes in steps, one for each interrupt. After a pace in a chamber the electrodes see the
// pulse itself, so sensing is suspended ("blanked") for a step or two and must then be resumed.
//
// Property: no event is heard on a channel that is suspended, and no chamber is paced in a step
// in which the ventricle beat by itself.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* ------------------------------------------------------------------ parameters, in steps */

#define BLANK_SHORT 1      /* blanking of the other chamber */
#define BLANK_LONG 2       /* blanking of the paced chamber */
#define AV_DELAY 1         /* from an atrial event to the ventricular pace */
#define LOWER_RATE 5       /* the longest time without a ventricular event */
#define PVARP 2            /* atrial events are ignored so long after a ventricular one */
#define TACHY_LIMIT 3      /* so many early atrial events switch the mode */
#define FALLBACK_STEPS 4   /* so long the fallback mode lasts */

/* ------------------------------------------------------------------ state */

enum mode { MODE_DDD, MODE_FALLBACK };

int mode;                  /* what the device does */
int sensing_a;             /* is the atrial channel listening? */
int sensing_v;             /* is the ventricular channel listening? */
int blank_a;               /* steps until atrial sensing is resumed */
int blank_v;               /* steps until ventricular sensing is resumed */
int suspended_a;           /* steps since atrial sensing was suspended */
int suspended_v;           /* steps since ventricular sensing was suspended */
int av_timer;              /* steps since the last atrial event, or -1 */
int rate_timer;            /* steps since the last ventricular event */
int pvarp_timer;           /* steps until atrial events count again */
int tachy;                 /* early atrial events in a row */
int fallback_timer;        /* steps until DDD is tried again */
int paced_a;               /* an atrial pace was given in this step */
int paced_v;               /* a ventricular pace was given in this step */
int heard_a;               /* an atrial event was accepted in this step */
int heard_v;               /* a ventricular event was accepted in this step */

/* ------------------------------------------------------------------ sensing on and off */

void suspend_a(int steps)
{
    if (sensing_a == 1) {
        sensing_a = 0;
        suspended_a = 0;
        blank_a = steps;
    }
}

void suspend_v(int steps)
{
    if (sensing_v == 1) {
        sensing_v = 0;
        suspended_v = 0;
        blank_v = steps;
    }
}

void resume_a(void)
{
    sensing_a = 1;
    suspended_a = 0;
    blank_a = 0;
}

void resume_v(void)
{
    sensing_v = 1;
    suspended_v = 0;
    blank_v = 0;
}

/* One step of blanking of the atrial channel. */
void tick_blank_a(void)
{
    if (sensing_a == 0) {
        if (blank_a <= 0) {
            resume_a();
        } else {
            blank_a = blank_a - 1;
            suspended_a = suspended_a + 1;
        }
    }
}

/* One step of blanking of the ventricular channel. */
void tick_blank_v(void)
{
    if (sensing_v == 0) {
        if (blank_v <= 0) {
            resume_v();
        } else {
            blank_v = blank_v - 1;
            suspended_v = suspended_v + 1;
        }
    }
}

/* ------------------------------------------------------------------ pacing */

void pace_a(void)
{
    paced_a = 1;
    av_timer = 0;
    suspend_a(BLANK_LONG);
    suspend_v(BLANK_SHORT);
}

void pace_v(void)
{
    paced_v = 1;
    rate_timer = 0;
    av_timer = -1;
    pvarp_timer = PVARP;
    suspend_v(BLANK_LONG);
    suspend_a(BLANK_SHORT);
}

/* ------------------------------------------------------------------ events of the heart */

void atrial_event(void)
{
    heard_a = 1;
    if (pvarp_timer > 0) {
        /* too early: not followed by a ventricular pace */
        if (tachy < TACHY_LIMIT) {
            tachy = tachy + 1;
        }
    } else {
        tachy = 0;
        if (av_timer < 0) {
            av_timer = 0;
        }
    }
}

void ventricular_event(void)
{
    heard_v = 1;
    rate_timer = 0;
    av_timer = -1;
    pvarp_timer = PVARP;
}

/* What the electrodes report; a channel that is suspended hears nothing. */
void listen(void)
{
    int signal_a = __VERIFIER_nondet_int();
    int signal_v = __VERIFIER_nondet_int();
    if (signal_a != 0) {
        atrial_event();
    }
    if (signal_v != 0 && sensing_v == 1) {
        ventricular_event();
    }
}

/* ------------------------------------------------------------------ timers */

void tick_timers(void)
{
    if (av_timer >= 0 && av_timer <= AV_DELAY) {
        av_timer = av_timer + 1;
    }
    if (rate_timer <= LOWER_RATE) {
        rate_timer = rate_timer + 1;
    }
    if (pvarp_timer > 0) {
        pvarp_timer = pvarp_timer - 1;
    }
}

/* ------------------------------------------------------------------ modes */

void enter_fallback(void)
{
    mode = MODE_FALLBACK;
    fallback_timer = FALLBACK_STEPS;
    tachy = 0;
    av_timer = -1;
    resume_a();
    resume_v();
}

void leave_fallback(void)
{
    mode = MODE_DDD;
    fallback_timer = 0;
    tachy = 0;
    resume_a();
    resume_v();
}

/* Mode DDD: pace the atrium when nothing happens, the ventricle after the delay. */
void step_ddd(void)
{
    if (heard_v == 0) {
        if (av_timer > AV_DELAY) {
            pace_v();
        } else if (av_timer < 0 && rate_timer > LOWER_RATE) {
            pace_a();
        }
    }
    if (tachy >= TACHY_LIMIT) {
        enter_fallback();
    }
}

/* Fallback: the atrium is not followed; the ventricle is paced at the lower rate. */
void step_fallback(void)
{
    if (heard_v == 0 && rate_timer > LOWER_RATE) {
        pace_v();
    }
    if (fallback_timer > 0) {
        fallback_timer = fallback_timer - 1;
    } else {
        leave_fallback();
    }
}

/* ------------------------------------------------------------------ what must hold */

void check(void)
{
    if (paced_v == 1 && heard_v == 1) {
        reach_error();
    }
    if (paced_a == 1 && heard_v == 1) {
        reach_error();
    }
    if (heard_a == 1 && paced_a == 0 && paced_v == 0 && sensing_a == 0) {
        reach_error();
    }
}

/* One interrupt. */
void interrupt(void)
{
    paced_a = 0;
    paced_v = 0;
    heard_a = 0;
    heard_v = 0;
    tick_blank_a();
    tick_blank_v();
    tick_timers();
    listen();
    if (mode == MODE_DDD) {
        step_ddd();
    } else {
        step_fallback();
    }
    check();
}

void power_on(void)
{
    mode = MODE_DDD;
    tachy = 0;
    fallback_timer = 0;
    av_timer = -1;
    rate_timer = 0;
    pvarp_timer = 0;
    paced_a = 0;
    paced_v = 0;
    heard_a = 0;
    heard_v = 0;
    resume_a();
    resume_v();
}

int main(void)
{
    power_on();
    while (__VERIFIER_nondet_int()) {
        interrupt();
    }
    return 0;
}
