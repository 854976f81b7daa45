@"offer.5.0.0" = internal unnamed_addr constant %lf_offer { i16 0, i16 10, i16 0, i16 0, i16 0, i16 5, i16 2, i16 0, i16 0, i16 0, i16 0, i16 0, i8 0, i8 1, i8 0, i8 0, i8 -1, i8 0, i8 0, i8 0, i8 1, i8 0, ptr null, ptr @"complete.init.0.0.0" }

@"offer.6.0.0" = internal unnamed_addr constant %lf_offer { i16 0, i16 10, i16 0, i16 0, i16 0, i16 6, i16 3, i16 0, i16 0, i16 0, i16 0, i16 0, i8 0, i8 1, i8 0, i8 0, i8 -1, i8 0, i8 0, i8 0, i8 0, i8 0, ptr null, ptr null }

@"offer.7.0.0" = internal unnamed_addr constant %lf_offer { i16 0, i16 10, i16 0, i16 0, i16 0, i16 7, i16 4, i16 0, i16 0, i16 0, i16 0, i16 0, i8 0, i8 1, i8 0, i8 0, i8 -1, i8 0, i8 0, i8 0, i8 0, i8 0, ptr null, ptr null }

@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal void @"complete.init.0.0.0"(ptr %b, ptr %frame, ptr %values) nounwind {
entry:
  %entry.t1 = getelementptr i8, ptr %b, i32 9
  %entry.t2 = load i8, ptr %values, align 1
  store i8 %entry.t2, ptr %entry.t1, align 1
  ret void
}

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  %entry.a1 = alloca %lf_meeting, align 2
  %entry.a2 = alloca i8, align 1
  %entry.a3 = alloca %lf_meeting, align 2
  %entry.a4 = alloca i32, align 4
  %entry.a5 = alloca %lf_meeting, align 2
  switch i16 %position, label %nowhere [ i16 1, label %b.1 i16 2, label %b.3 i16 3, label %b.4 i16 4, label %b.2 ]
nowhere:
  unreachable
b.1:
  %b.1.t1 = icmp ult i32 3, 8
  br i1 %b.1.t1, label %ok.1, label %bad.1, !prof !0
bad.1:
  call void @lf_fault(ptr %b, i8 zeroext 11, i16 zeroext 0, i32 3, i32 8) #1
  unreachable
ok.1:
  %ok.1.t1 = shl i8 1, 3
  %ok.1.t2 = call zeroext i8 @lf_policy_in8(ptr %b, i32 37)
  %ok.1.t3 = or i8 %ok.1.t2, %ok.1.t1
  call void @lf_policy_out8(ptr %b, i32 37, i8 zeroext %ok.1.t3)
  %ok.1.t4 = getelementptr i8, ptr %b, i32 8
  %ok.1.t5 = call zeroext i8 @lf_policy_in8(ptr %b, i32 16)
  store i8 %ok.1.t5, ptr %ok.1.t4, align 1
  %ok.1.t6 = getelementptr i8, ptr %b, i32 8
  %ok.1.t7 = load i8, ptr %ok.1.t6, align 1
  call void @lf_policy_out8(ptr %b, i32 17, i8 zeroext %ok.1.t7)
  %ok.1.t8 = getelementptr i8, ptr %b, i32 4
  %ok.1.t9 = call i32 @lf_policy_clock(ptr %b)
  store i32 %ok.1.t9, ptr %ok.1.t8, align 4
  call void @lf_meeting_begin(ptr %entry.a1)
  %ok.1.t10 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %entry.a1)
  br i1 %ok.1.t10, label %met.1, label %alone.1
met.1:
  unreachable
alone.1:
  %alone.1.t1 = call zeroext i16 @lf_policy_console_in(ptr %b)
  %alone.1.t2 = icmp sge i16 %alone.1.t1, 0
  br i1 %alone.1.t2, label %byte.1, label %nothing.1
byte.1:
  %byte.1.t1 = trunc i16 %alone.1.t1 to i8
  store i8 %byte.1.t1, ptr %entry.a2, align 1
  call void @"complete.init.0.0.0"(ptr %b, ptr %frame, ptr %entry.a2)
  %byte.1.t2 = zext i8 %slot to i16
  %byte.1.t3 = zext i16 %byte.1.t2 to i32
  %byte.1.t4 = getelementptr i8, ptr %b, i32 %byte.1.t3
  store i8 2, ptr %byte.1.t4, align 1
  ret i16 -32768
nothing.1:
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %nothing.1.t1 = zext i8 %slot to i16
  %nothing.1.t2 = zext i16 %nothing.1.t1 to i32
  %nothing.1.t3 = getelementptr i8, ptr %b, i32 %nothing.1.t2
  store i8 5, ptr %nothing.1.t3, align 1
  ret i16 -32768
b.2:
  %b.2.t1 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %b.2.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
b.3:
  %b.3.t1 = getelementptr i8, ptr %b, i32 9
  %b.3.t2 = load i8, ptr %b.3.t1, align 1
  call void @lf_policy_console_out(ptr %b, i8 zeroext %b.3.t2)
  call void @lf_meeting_begin(ptr %entry.a3)
  call void @lf_seek_pending(ptr %b, ptr %entry.a3, i8 zeroext -1, i8 zeroext 0)
  %b.3.t3 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %entry.a3)
  br i1 %b.3.t3, label %met.2, label %alone.2
met.2:
  br label %take.1
take.1:
  call void @lf_clear_pending(ptr %b, i8 zeroext 0)
  br label %moved.1
moved.1:
  %moved.1.t1 = zext i8 %slot to i16
  %moved.1.t2 = zext i16 %moved.1.t1 to i32
  %moved.1.t3 = getelementptr i8, ptr %b, i32 %moved.1.t2
  store i8 3, ptr %moved.1.t3, align 1
  ret i16 -32768
alone.2:
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %alone.2.t1 = zext i8 %slot to i16
  %alone.2.t2 = zext i16 %alone.2.t1 to i32
  %alone.2.t3 = getelementptr i8, ptr %b, i32 %alone.2.t2
  store i8 6, ptr %alone.2.t3, align 1
  ret i16 -32768
b.4:
  store i32 10, ptr %entry.a4, align 4
  call void @lf_meeting_begin(ptr %entry.a5)
  %b.4.t1 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %entry.a5)
  br i1 %b.4.t1, label %met.3, label %alone.3
met.3:
  unreachable
alone.3:
  %alone.3.t1 = load i32, ptr %entry.a4, align 4
  call void @lf_policy_sleeps(ptr %b, i8 zeroext %slot, i8 zeroext -1, i32 %alone.3.t1)
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %alone.3.t2 = zext i8 %slot to i16
  %alone.3.t3 = zext i16 %alone.3.t2 to i32
  %alone.3.t4 = getelementptr i8, ptr %b, i32 %alone.3.t3
  store i8 7, ptr %alone.3.t4, align 1
  ret i16 -32768
}
