@"offer.5.0.0" = internal unnamed_addr constant %lf_offer { i16 0, i16 9, i16 0, i16 0, i16 0, i16 5, i16 2, i16 1, i16 0, i16 0, i16 0, i16 0, i8 0, i8 1, i8 0, i8 0, i8 -1, i8 3, i8 0, i8 0, i8 1, i8 0, ptr null, ptr @"complete.init.0.0.0" }

@"offer.6.0.1" = internal unnamed_addr constant %lf_offer { i16 1, i16 12, i16 8, i16 0, i16 0, i16 6, i16 4, i16 4, i16 0, i16 0, i16 0, i16 4, i8 1, i8 1, i8 0, i8 0, i8 -1, i8 1, i8 0, i8 0, i8 0, i8 0, ptr null, ptr null }

@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal void @"complete.init.0.0.0"(ptr %b, ptr %frame, ptr %values) nounwind {
entry:
  %entry.t1 = getelementptr i8, ptr %b, i32 4
  %entry.t2 = load i32, ptr %values, align 4
  store i32 %entry.t2, ptr %entry.t1, align 4
  ret void
}

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  %entry.a1 = alloca %lf_meeting, align 2
  switch i16 %position, label %nowhere [ i16 1, label %b.1 i16 2, label %b.2 ]
nowhere:
  unreachable
b.1:
  %b.1.t1 = getelementptr i8, ptr %b, i32 8
  store i8 1, ptr %b.1.t1, align 1
  %b.1.t2 = getelementptr i8, ptr %b, i32 8
  %b.1.t3 = load i8, ptr %b.1.t2, align 1
  %b.1.t4 = call zeroext i8 @lf_free_slot(ptr %b, i16 zeroext 1, i8 zeroext 1, i8 zeroext 0, i16 zeroext 0)
  %b.1.t5 = zext i8 %b.1.t4 to i16
  %b.1.t6 = mul i16 %b.1.t5, 8
  %b.1.t7 = getelementptr i8, ptr %b, i32 12
  %b.1.t8 = zext i16 %b.1.t6 to i32
  %b.1.t9 = getelementptr i8, ptr %b.1.t7, i32 %b.1.t8
  %b.1.t10 = getelementptr i8, ptr %b.1.t9, i32 4
  store i8 %b.1.t3, ptr %b.1.t10, align 1
  call void @lf_set_position(ptr %b, i16 zeroext 1, i8 zeroext %b.1.t4, i8 zeroext 0, i16 zeroext 3)
  %b.1.t11 = add i8 %b.1.t4, 1
  call void @lf_policy_created(ptr %b, i8 zeroext %b.1.t11, i32 -1)
  %b.1.t12 = getelementptr i8, ptr %b, i32 8
  %b.1.t13 = load i8, ptr %b.1.t12, align 1
  %b.1.t14 = icmp ne i8 %b.1.t13, 0
  br i1 %b.1.t14, label %ok.1, label %bad.1, !prof !0
bad.1:
  call void @lf_fault(ptr %b, i8 zeroext 7, i16 zeroext 1, i32 0, i32 0) #1
  unreachable
ok.1:
  call void @lf_meeting_begin(ptr %entry.a1)
  call void @lf_seek_senders(ptr %b, ptr %entry.a1, i8 zeroext -1, i8 zeroext %b.1.t13, ptr %frame, i8 zeroext 0, ptr null, ptr @"offer.6.0.1")
  %ok.1.t1 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %entry.a1)
  br i1 %ok.1.t1, label %met.1, label %alone.1
met.1:
  br label %take.1
take.1:
  %take.1.t1 = call zeroext i1 @lf_fetch(ptr %b, ptr %entry.a1, ptr %frame, i8 zeroext 1, ptr @"complete.init.0.0.0", ptr @"offer.6.0.1")
  br label %moved.1
moved.1:
  %moved.1.t1 = zext i8 %slot to i16
  %moved.1.t2 = zext i16 %moved.1.t1 to i32
  %moved.1.t3 = getelementptr i8, ptr %b, i32 %moved.1.t2
  store i8 2, ptr %moved.1.t3, align 1
  ret i16 -32768
alone.1:
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %alone.1.t1 = zext i8 %slot to i16
  %alone.1.t2 = zext i16 %alone.1.t1 to i32
  %alone.1.t3 = getelementptr i8, ptr %b, i32 %alone.1.t2
  store i8 5, ptr %alone.1.t3, align 1
  ret i16 -32768
b.2:
  %b.2.t1 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %b.2.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
}

define internal i16 @"run.Program.Sender.1"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  %entry.a1 = alloca %lf_meeting, align 2
  switch i16 %position, label %nowhere [ i16 3, label %b.1 i16 4, label %b.2 ]
nowhere:
  unreachable
b.1:
  %b.1.t1 = getelementptr i8, ptr %frame, i32 4
  %b.1.t2 = load i8, ptr %b.1.t1, align 1
  %b.1.t3 = icmp ne i8 %b.1.t2, 0
  br i1 %b.1.t3, label %ok.1, label %bad.1, !prof !0
bad.1:
  call void @lf_fault(ptr %b, i8 zeroext 7, i16 zeroext 2, i32 0, i32 0) #1
  unreachable
ok.1:
  store i32 5, ptr %frame, align 4
  call void @lf_meeting_begin(ptr %entry.a1)
  call void @lf_seek_receivers(ptr %b, ptr %entry.a1, i8 zeroext -1, i8 zeroext %b.1.t2, ptr %frame, ptr @"offer.5.0.0")
  %ok.1.t1 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %entry.a1)
  br i1 %ok.1.t1, label %met.1, label %alone.1
met.1:
  br label %take.1
take.1:
  %take.1.t1 = call zeroext i1 @lf_deliver(ptr %b, ptr %entry.a1, ptr %frame, ptr @"offer.5.0.0")
  br label %moved.1
moved.1:
  call void @lf_clear(ptr %frame, i16 zeroext 4)
  %moved.1.t1 = zext i8 %slot to i16
  %moved.1.t2 = zext i16 %moved.1.t1 to i32
  %moved.1.t3 = getelementptr i8, ptr %b, i32 %moved.1.t2
  store i8 4, ptr %moved.1.t3, align 1
  ret i16 -32768
alone.1:
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %alone.1.t1 = zext i8 %slot to i16
  %alone.1.t2 = zext i16 %alone.1.t1 to i32
  %alone.1.t3 = getelementptr i8, ptr %b, i32 %alone.1.t2
  store i8 6, ptr %alone.1.t3, align 1
  ret i16 -32768
b.2:
  %b.2.t1 = sub i8 %slot, 1
  call void @lf_end(ptr %b, i16 zeroext 1, i8 zeroext %b.2.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 8)
  ret i16 -32768
}
